import { Similarity } from "../anchors/matching/similarity.ts";
import { unitsOf } from "../anchors/store/outline.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import { lastIdentifier } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument } from "../format/document.ts";
import { extensionsFor } from "./elsewhere.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostParsed = 10;
const largestFile = 500_000;
/** Of the names and quotes, and then of the code. */
const likeEnough = 0.5;
/** A second choice this close leaves the first in doubt. */
const doubt = 0.05;
const mostWords = 60;

/** Where files with comments have gone when they were renamed without these. */
export class RenamedFiles {
  readonly #workspace: CommentWorkspace;
  readonly #reader: SourceReader;
  readonly #known = new Map<string, { readonly key: string; readonly path: string | undefined }>();

  constructor(workspace: CommentWorkspace, reader: SourceReader) {
    this.#workspace = workspace;
    this.#reader = reader;
  }

  /** The comments whose source is gone, which may be those of a source of this name. */
  async abandoned(path: string): Promise<readonly string[]> {
    const family = extensionsFor(path);
    const listed = await this.#workspace.list();
    const commented = listed.filter((each) => family.includes(extensionOf(each)));
    if (commented.length === 0) return [];
    const there = new Set(await this.#workspace.findSources(family));
    return commented.filter((each) => !there.has(each));
  }

  /**
   * The only source without comments that has the code of a document whose source is gone; undefined where
   * there is none, or where two are much alike.
   */
  async successorOf(document: CommentsDocument): Promise<string | undefined> {
    const { filePath } = document;
    const commented = new Set(await this.#workspace.list());
    const sources = await this.#workspace.findSources(extensionsFor(filePath));
    const free = sources.filter((path) => !commented.has(path));
    const key = [document.outline?.hash, ...free].join("\n");
    const known = this.#known.get(filePath);
    if (known?.key === key) return known.path;
    const path = await this.#mostAlike(document, free);
    this.#known.set(filePath, { key, path });
    return path;
  }

  async #mostAlike(
    document: CommentsDocument,
    paths: readonly string[],
  ): Promise<string | undefined> {
    const { outline } = document;
    const words = wordsOf(document);
    if (outline === undefined || words.length === 0) return undefined;
    const hopeful: { readonly path: string; readonly source: string; readonly share: number }[] =
      [];
    for (const path of paths) {
      const source = await this.#workspace.readSource(path).catch(() => undefined);
      if (source === undefined || source.length > largestFile) continue;
      const share = words.filter((word) => source.includes(word)).length / words.length;
      if (share >= likeEnough) hopeful.push({ path, source, share });
    }
    const [root] = unitsOf(outline, new Map());
    const scores: { readonly path: string; readonly score: number }[] = [];
    const likeliest = hopeful.sort((a, b) => b.share - a.share).slice(0, mostParsed);
    for (const { path, source } of likeliest) {
      const tree = await this.#reader.read(path, source);
      const [fresh] = tree.units;
      if (root === undefined || fresh === undefined) continue;
      const isSame = tree.hash === outline.hash;
      scores.push({ path, score: isSame ? 1 : new Similarity(tree).ofInsides(root, fresh) });
    }
    const [first, second] = scores.sort((a, b) => b.score - a.score);
    if (first === undefined || first.score < likeEnough) return undefined;
    return second !== undefined && first.score - second.score < doubt ? undefined : first.path;
  }
}

/** What its source says where it has not changed: names, and the lines with comments. */
function wordsOf({ outline, ghostMarkers }: CommentsDocument): readonly string[] {
  const units = outline === undefined ? [] : unitsOf(outline, new Map());
  const names = units.map(({ name }) => lastIdentifier(name) ?? "");
  const quotes = ghostMarkers.map(({ tracking }) => tracking?.quote.exact ?? "");
  const words = [...new Set([...names, ...quotes])].filter((word) => word.length > 3);
  return words.slice(0, mostWords);
}

function extensionOf(path: string): string {
  return path.split(".").at(-1)?.toLowerCase() ?? "";
}
