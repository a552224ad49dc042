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
  isEqual,
  type SourceFile,
  SourceSurvey,
  SourceWords,
  saysWord,
  wordsIn,
} from "./source-survey.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostParsed = 10;
const mostWords = 60;
/** Tokens: files of fewer are alike by chance. */
const saysEnough = 40;
/** And word for word. */
const copySaysEnough = 30;
/** Of the code of both, word for word. */
const sameEnough = 0.35;
/** Enough where it leads by a quarter of the code of both, over one that is like it at all. */
const sameEnoughAhead = 0.2;
const farAhead = 0.25;
const likeAtAll = 0.1;
/** Of what is declared directly in the file, by size: a file made after the same pattern has names of its own. */
const namesKeptEnough = 0.75;
/** Of the code of both, where no names are kept, or the file's own name is another's. */
const likeEnoughOfOther = 0.9;
/** By how much of the code of both it is more alike than any other. */
const standsOut = 0.04;
/** What any file may export. */
const commonNames: ReadonlySet<string> = new Set(["module.exports", "exports", "default"]);

/** Where files with comments have gone when they were renamed without these. */
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

  /** The sources as they are now, looked at once for all that is asked of them. */
  survey(): SourceSurvey {
    return new SourceSurvey(this.#workspace, this.#words);
  }

  /** The comments whose source is gone, which may be those of a source of this name. */
  async abandoned(path: string, survey: SourceSurvey): Promise<readonly string[]> {
    const family = extensionsFor(path);
    const listed = await survey.commented();
    const commented = listed.filter((each) => family.includes(extensionOf(each)));
    if (commented.length === 0) return [];
    const there = new Set(await survey.sources(family));
    return commented.filter((each) => !there.has(each));
  }

  /**
   * The only source without comments that has the code of a document whose source is gone; undefined where
   * there is none, or where two are much alike.
   */
  async successorOf(document: CommentsDocument, survey: SourceSurvey): Promise<string | undefined> {
    const { filePath, outline } = document;
    const sources = await survey.uncommented(extensionsFor(filePath));
    const known = this.#known.get(filePath);
    const isSame = known !== undefined && known.outline === outline?.hash;
    if (isSame && known.sources === sources) return known.path;
    const free = sources.filter(({ path }) => !isMadeOf(path, filePath));
    const copies = free.filter(({ hash }) => hash === outline?.hash);
    const hopeful = copies.length > 0 ? copies : hopefulOf(document, free);
    const isAsBefore = isSame && isEqual(known.hopeful, hopeful);
    const path = isAsBefore ? known.path : await this.#successorAmong(document, hopeful);
    this.#known.set(filePath, { outline: outline?.hash, sources, hopeful, path });
    return path;
  }

  async #successorAmong(
    { filePath, outline }: CommentsDocument,
    hopeful: readonly SourceFile[],
  ): Promise<string | undefined> {
    if (outline === undefined) return undefined;
    const known = unitsOf(outline, new Map());
    const size = known[0]?.size ?? 0;
    const [copy, twin] = hopeful.filter(({ hash }) => hash === outline.hash);
    if (copy !== undefined) {
      const isKnown = namedIn(known).length > 0 && nameOf(copy.path) === nameOf(filePath);
      return twin === undefined && (size >= copySaysEnough || isKnown) ? copy.path : undefined;
    }
    if (size < saysEnough) return undefined;
    const found: Likeness[] = [];
    for (const { path } of hopeful) {
      const source = await this.#workspace.readSource(path).catch(() => undefined);
      if (source === undefined) continue;
      const tree = await this.#reader.read(path, source);
      const isOther = saysItsName(source, path) && !saysItsName(source, filePath);
      found.push({ path, ...likenessOf(known, tree), isOther });
    }
    const [first, next] = found.sort((a, b) => b.score - a.score);
    return first !== undefined && isSuccessor(first, next?.score ?? 0) ? first.path : undefined;
  }
}

/** What was found for a source, and from what. */
interface Successor {
  readonly outline: string | undefined;
  readonly sources: readonly SourceFile[];
  readonly hopeful: readonly SourceFile[];
  readonly path: string | undefined;
}

/** The sources that say most of what one that is gone said. */
function hopefulOf(
  document: CommentsDocument,
  sources: readonly SourceFile[],
): readonly SourceFile[] {
  const words = wordsOf(document);
  return sources
    .map((source) => ({ source, count: words.filter((word) => saysWord(source, word)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, mostParsed)
    .map(({ source }) => source);
}

/** A source, compared with one that is gone. */
interface Likeness {
  readonly path: string;
  /** Of the code of both, 0 to 1: the same, or changed in its place. */
  readonly score: number;
  /** The same alone. */
  readonly same: number;
  /** Of the names, 0 to 1; undefined where there are none. */
  readonly kept: number | undefined;
  /** Does it say its own name, and not that of the one that is gone? */
  readonly isOther: boolean;
}

/**
 * May a source be taken for the one that is gone?
 * @param next how alike the next is: files that were made after one pattern are much alike
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
  const kept = namesKept(known, tree, pairing);
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

/** The share of the declarations directly in the file, by size, that have their names still; undefined without any. */
function namesKept(
  known: readonly KnownUnit[],
  tree: UnitTree,
  pairing: Pairing,
): number | undefined {
  const named = namedIn(known);
  // Renamed identifiers have their old names in the pairing.
  const kept = named.filter(
    (unit) => tree.units[pairing.unitOf(unit)?.index ?? -1]?.name === unit.name,
  );
  return named.length === 0 ? undefined : totalSize(kept) / totalSize(named);
}

/** The declarations directly in a file that say a name of their own. */
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

/** Words that its source says where it has not changed: of names, and of the lines with comments. */
function wordsOf({ outline, ghostMarkers }: CommentsDocument): readonly number[] {
  const units = outline === undefined ? [] : unitsOf(outline, new Map());
  const names = units.map(({ name }) => lastIdentifier(name) ?? "");
  const quotes = ghostMarkers.map(({ tracking }) => tracking?.quote.exact ?? "");
  return [...new Set([...names, ...quotes].flatMap(wordsIn))].slice(0, mostWords);
}

/** File names that say nothing: their folders do. */
const namesOfFolders: ReadonlySet<string> = new Set(["__init__", "index", "main", "mod"]);
const shortestName = 4;

/** Does a source have the name of a file in it, in whatever spelling? */
function saysItsName(source: string, path: string): boolean {
  const name = lettersOf(nameOf(path).split(/[./]/)[0] ?? "");
  return name.length >= shortestName && lettersOf(source).includes(name);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** May a file be what a compiler makes of another? That is there beside its source. */
function isMadeOf(path: string, source: string): boolean {
  if (typed.test(source) && !typed.test(path)) return true;
  const folders = source.split("/");
  return path.split("/").some((folder) => madeFolders.has(folder) && !folders.includes(folder));
}

const typed: RegExp = /\.[cm]?tsx?$/;
const madeFolders: ReadonlySet<string> = new Set(["build", "cjs", "dist", "esm", "out", "umd"]);

/** The name of a file; with its folder where it says nothing itself. */
function nameOf(path: string): string {
  const [file = "", folder] = path.split("/").reverse();
  const isPlain = folder === undefined || !namesOfFolders.has(file.split(".")[0] ?? "");
  return isPlain ? file : `${folder}/${file}`;
}

function extensionOf(path: string): string {
  return path.split(".").at(-1)?.toLowerCase() ?? "";
}
