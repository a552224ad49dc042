import {
  type AnyUnit,
  declaresName,
  isImport,
  type KnownUnit,
} from "../anchors/matching/known-unit.ts";
import { matchTrees } from "../anchors/matching/match-trees.ts";
import type { Pairing } from "../anchors/matching/pairing.ts";
import { unitsOf } from "../anchors/store/outline.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import { lastIdentifier } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument } from "../format/document.ts";
import { extensionsFor } from "./elsewhere.ts";
import {
  containsWord,
  isEqual,
  type SourceFile,
  SourceSurvey,
  SourceWords,
  wordsIn,
} from "./source-survey.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostParsed = 10;
const mostWords = 60;
/** Minimum size in tokens: smaller files are similar by chance. */
const smallest = 40;
/** Minimum size for identical code. */
const smallestCopy = 30;
/** Minimum share of identical code, of the code of both files. */
const sameEnough = 0.35;
/** Minimum share if it leads by `farAhead` over another file of at least `likeAtAll`. */
const sameEnoughAhead = 0.2;
const farAhead = 0.25;
const likeAtAll = 0.1;
/** Minimum share of retained top-level names, by size: files made from the same template have different names. */
const namesKeptEnough = 0.75;
/** Minimum share of the code of both, if names are not retained or the file mentions only its own name. */
const likeEnoughOfOther = 0.9;
/** Minimum lead over the next file, of the code of both. */
const standsOut = 0.04;
/** Export names that any file may have. */
const commonNames: ReadonlySet<string> = new Set(["module.exports", "exports", "default"]);

/** Finds the new paths of sources that were renamed without their comments. */
export class RenamedFiles {
  readonly #workspace: CommentWorkspace;
  readonly #reader: SourceReader;
  readonly #words: SourceWords;
  readonly #known = new Map<string, Successor>();

  constructor(workspace: CommentWorkspace, reader: SourceReader) {
    this.#workspace = workspace;
    this.#reader = reader;
    this.#words = new SourceWords(workspace);
  }

  /** A snapshot of the sources, each read once. */
  survey(): SourceSurvey {
    return new SourceSurvey(this.#workspace, this.#words);
  }

  /** Paths of comments without a source that may belong to a source of this name. */
  async abandoned(path: string, survey: SourceSurvey): Promise<readonly string[]> {
    const family = extensionsFor(path);
    const listed = await survey.commented();
    const commented = listed.filter((each) => family.includes(extensionOf(each)));
    if (commented.length === 0) return [];
    const there = new Set(await survey.sources(family));
    return commented.filter((each) => !there.has(each));
  }

  /**
   * The only uncommented source with the code of a document whose source is gone; undefined without one, or if
   * two are similar.
   */
  async successorOf(document: CommentsDocument, survey: SourceSurvey): Promise<string | undefined> {
    const { filePath, outline } = document;
    const sources = await survey.uncommented(extensionsFor(filePath));
    const known = this.#known.get(filePath);
    const isSame = known !== undefined && known.outline === outline?.hash;
    if (isSame && known.sources === sources) return known.path;
    const free = sources.filter(({ path }) => !isMadeOf(path, filePath));
    const copies = free.filter(({ hash }) => hash === outline?.hash);
    const plausible = copies.length > 0 ? copies : plausibleSuccessors(document, free);
    const isAsBefore = isSame && isEqual(known.plausible, plausible);
    const path = isAsBefore
      ? known.path
      : ((await this.#byHistory(filePath, sources)) ??
        (await this.#successorAmong(document, plausible)));
    this.#known.set(filePath, { outline: outline?.hash, sources, plausible, path });
    return path;
  }

  /** The source that it was renamed to in the workspace's history, if that has no comments. */
  async #byHistory(filePath: string, sources: readonly SourceFile[]): Promise<string | undefined> {
    const path = await this.#workspace.renamedTo?.(filePath);
    return sources.some((each) => each.path === path) ? path : undefined;
  }

  async #successorAmong(
    { filePath, outline }: CommentsDocument,
    plausible: readonly SourceFile[],
  ): Promise<string | undefined> {
    if (outline === undefined) return undefined;
    const known = unitsOf(outline, new Map());
    const size = known[0]?.size ?? 0;
    const [copy, twin] = plausible.filter(({ hash }) => hash === outline.hash);
    if (copy !== undefined) {
      const isKnown = namedIn(known).length > 0 && nameOf(copy.path) === nameOf(filePath);
      return twin === undefined && (size >= smallestCopy || isKnown) ? copy.path : undefined;
    }
    if (size < smallest) return undefined;
    const found: Likeness[] = [];
    for (const { path } of plausible) {
      const source = await this.#workspace.readSource(path).catch(() => undefined);
      if (source === undefined) continue;
      const tree = await this.#reader.read(path, source);
      const isOther = mentionsName(source, path) && !mentionsName(source, filePath);
      found.push({ path, ...likenessOf(known, tree), isOther });
    }
    const [first, next] = found.sort((a, b) => b.score - a.score);
    return first !== undefined && isSuccessor(first, next?.score ?? 0) ? first.path : undefined;
  }
}

/** A cached result and its inputs. */
interface Successor {
  readonly outline: string | undefined;
  readonly sources: readonly SourceFile[];
  readonly plausible: readonly SourceFile[];
  readonly path: string | undefined;
}

/** The sources that contain most words of a missing one. */
function plausibleSuccessors(
  document: CommentsDocument,
  sources: readonly SourceFile[],
): readonly SourceFile[] {
  const words = wordsOf(document);
  return sources
    .map((source) => ({ source, count: words.filter((word) => containsWord(source, word)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostParsed)
    .map(({ source }) => source);
}

/** A source compared with a missing one. */
interface Likeness {
  readonly path: string;
  /** Share of the code of both, 0 to 1, that is identical or changed in place. */
  readonly score: number;
  /** Share that is identical. */
  readonly same: number;
  /** Share of retained names, 0 to 1; undefined without names. */
  readonly kept: number | undefined;
  /** Does it mention its own file name, and not that of the missing one? */
  readonly isOther: boolean;
}

/**
 * Is a source the renamed one?
 * @param next score of the next source; files made from one template are all similar
 */
function isSuccessor({ score, same, kept, isOther }: Likeness, next: number): boolean {
  const isAhead = next >= likeAtAll && score - next >= farAhead;
  if (score - next < standsOut || same < (isAhead ? sameEnoughAhead : sameEnough)) return false;
  if (kept !== undefined && kept < namesKeptEnough) return false;
  return score >= likeEnoughOfOther || !(isOther || kept === undefined);
}

function likenessOf(
  known: readonly KnownUnit[],
  tree: UnitTree,
): Pick<Likeness, "score" | "same" | "kept"> {
  const { pairing } = matchTrees(known, tree);
  const kept = namesKept(known, pairing);
  const total = (known[0]?.size ?? 0) + (tree.units[0]?.size ?? 0);
  if (total === 0) return { score: 0, same: 0, kept };
  let [score, same] = [0, 0];
  for (const unit of known) {
    const pair = pairing.pairOf(unit);
    if (pair === undefined || unit.parent === undefined || unit.type === "comment") continue;
    const size = (2 * Math.min(ownSize(unit), ownSize(pair.unit))) / total;
    score += pair.similarity * size;
    if (pair.similarity === 1) same += size;
  }
  return { score, same, kept };
}

/** The share of top-level declarations, by size, that retain their names; undefined without any. */
function namesKept(known: readonly KnownUnit[], pairing: Pairing): number | undefined {
  const named = namedIn(known);
  const kept = named.filter((unit) => pairing.unitOf(unit)?.name === unit.name);
  return named.length === 0 ? undefined : totalSize(kept) / totalSize(named);
}

/** The top-level declarations with distinctive names. */
function namedIn([file]: readonly KnownUnit[]): readonly KnownUnit[] {
  return (file?.children ?? []).filter(
    (unit) => declaresName(unit) && !isImport(unit) && !commonNames.has(unit.name ?? ""),
  );
}

function totalSize(units: readonly AnyUnit[]): number {
  return units.reduce((sum, { size }) => sum + size, 0);
}

function ownSize({ size, children }: AnyUnit): number {
  return children.reduce(
    (rest, child) => (child.type === "comment" ? rest : rest - child.size),
    size,
  );
}

/** Words that an unchanged source contains: of its names, and of commented lines. */
function wordsOf({ outline, ghostMarkers }: CommentsDocument): readonly number[] {
  const units = outline === undefined ? [] : unitsOf(outline, new Map());
  const names = units.map(({ name }) => lastIdentifier(name) ?? "");
  const quotes = ghostMarkers.map(({ tracking }) => tracking?.quote.exact ?? "");
  return [...new Set([...names, ...quotes].flatMap(wordsIn))].slice(0, mostWords);
}

/** File names that are identified by their folders. */
const namesOfFolders: ReadonlySet<string> = new Set(["__init__", "index", "main", "mod"]);
const shortestName = 4;

/** Does a source contain the name of a file, in any spelling? */
function mentionsName(source: string, path: string): boolean {
  const name = lettersOf(nameOf(path).split(/[./]/)[0] ?? "");
  return name.length >= shortestName && lettersOf(source).includes(name);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** May a file be compiled from another? Then it exists beside its source. */
function isMadeOf(path: string, source: string): boolean {
  if (typed.test(source) && !typed.test(path)) return true;
  const folders = source.split("/");
  return path.split("/").some((folder) => madeFolders.has(folder) && !folders.includes(folder));
}

const typed: RegExp = /\.[cm]?tsx?$/;
const madeFolders: ReadonlySet<string> = new Set(["build", "cjs", "dist", "esm", "out", "umd"]);

/** The name of a file, with its folder if the name alone is generic. */
function nameOf(path: string): string {
  const [file = "", folder] = path.split("/").reverse();
  const isPlain = folder === undefined || !namesOfFolders.has(file.split(".")[0] ?? "");
  return isPlain ? file : `${folder}/${file}`;
}

function extensionOf(path: string): string {
  return path.split(".").at(-1)?.toLowerCase() ?? "";
}
