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
import { hashOfSource, lastIdentifier } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument } from "../format/document.ts";
import { extensionsFor } from "./elsewhere.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostParsed = 10;
const largestFile = 500_000;
/** Of the names and quotes: others are not parsed. */
const mentionedEnough = 0.2;
/** Tokens: files of fewer are alike by chance. */
const saysEnough = 40;
/** And word for word. */
const copySaysEnough = 30;
/** Of the code, word for word. */
const sameEnough = 0.2;
/** Where there is nothing to stand out from, or it need not as no other source has its file name. */
const sameEnoughAlone = 0.4;
/** Of the declarations directly in the file, by size: a file made after the same pattern has names of its own. */
const namesKeptEnough = 0.75;
/** Of the code, where it stands out. */
const likeEnough = 0.4;
/** Of the code, of a source that says its own name and not that of the one that is gone, or that has no names. */
const likeEnoughOfOther = 0.9;
/** A source this little like it is not compared. */
const unlike = 0.1;
/** By how much more than any other, as a share of the code that is not the same. */
const standsOut = 0.5;
/** And of a source with the same file name. */
const standsOutOfSameName = 0.25;
/** What any file may export. */
const commonNames: ReadonlySet<string> = new Set(["module.exports", "exports", "default"]);
/** A second choice this close leaves the first in doubt, however alike it is. */
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
    const all = await this.#workspace.findSources(extensionsFor(filePath));
    const sources = all.filter((path) => !isMadeOf(path, filePath));
    const free = sources.filter((path) => !commented.has(path));
    const name = nameOf(filePath);
    const isRare = sources.filter((path) => nameOf(path) === name).length === 1;
    // Before they are compared: what changes meanwhile has another one. One by one: a process may open so many files.
    const keys = [document.outline?.hash, `${isRare}`];
    for (const each of free) keys.push(each, await this.#textKey(each));
    const key = keys.join("\n");
    const known = this.#known.get(filePath);
    if (known?.key === key) return known.path;
    const path = await this.#mostAlike(document, free, isRare);
    this.#known.set(filePath, { key, path });
    return path;
  }

  /** Another one as soon as a source has another text. */
  async #textKey(path: string): Promise<string> {
    const stamp = this.#workspace.stamp?.(path);
    if (stamp !== undefined) return stamp.join();
    return hashOfSource((await this.#workspace.readSource(path).catch(() => undefined)) ?? "");
  }

  async #mostAlike(
    document: CommentsDocument,
    paths: readonly string[],
    isRare: boolean,
  ): Promise<string | undefined> {
    const { filePath, outline } = document;
    const words = wordsOf(document);
    if (outline === undefined || words.length === 0) return undefined;
    const hopeful: { readonly path: string; readonly source: string; readonly share: number }[] =
      [];
    for (const path of paths) {
      const source = await this.#workspace.readSource(path).catch(() => undefined);
      if (source === undefined || source.length > largestFile) continue;
      const share = words.filter((word) => source.includes(word)).length / words.length;
      if (share >= mentionedEnough) hopeful.push({ path, source, share });
    }
    const known = unitsOf(outline, new Map());
    const found: Likeness[] = [];
    for (const { path, source } of hopeful.sort((a, b) => b.share - a.share).slice(0, mostParsed)) {
      const tree = await this.#reader.read(path, source);
      const isCopy = tree.hash === outline.hash;
      const isOther = saysItsName(source, path) && !saysItsName(source, filePath);
      found.push({ path, ...likenessOf(known, tree), isCopy, isOther });
    }
    const size = known[0]?.size ?? 0;
    return successorAmong(found, { path: filePath, size, isRare })?.path;
  }
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
  readonly isCopy: boolean;
  /** Does it say its own name, and not that of the one that is gone? */
  readonly isOther: boolean;
}

/** The one that may be taken for a source that is gone, of `size` tokens. */
function successorAmong(
  found: readonly Likeness[],
  {
    path,
    size,
    isRare,
  }: { readonly path: string; readonly size: number; readonly isRare: boolean },
): Likeness | undefined {
  const [copy, twin] = found.filter(({ isCopy }) => isCopy);
  if (copy !== undefined) {
    const isKnown = copy.kept !== undefined && nameOf(copy.path) === nameOf(path);
    return twin === undefined && (size >= copySaysEnough || isKnown) ? copy : undefined;
  }
  if (size < saysEnough) return undefined;
  const sorted = [...found].sort((a, b) => b.score - a.score);
  return sorted.find((each) => {
    const next = sorted.find((other) => other !== each)?.score ?? 0;
    return isSuccessor(each, next, sameness(each.path, path, isRare));
  });
}

/**
 * May a source be taken for the one that is gone? Files that were made after one pattern are much alike.
 * @param next how alike the next is: to lead what is not alike says nothing
 */
function isSuccessor(
  { score, same, kept, isOther }: Likeness,
  next: number,
  name: "rare" | "same" | "other",
): boolean {
  const isAlone = name === "rare" || next < unlike;
  if (same < (isAlone ? sameEnoughAlone : sameEnough)) return false;
  if (kept !== undefined && kept < namesKeptEnough) return false;
  if (score < (kept === undefined || isOther ? likeEnoughOfOther : likeEnough)) return false;
  if (name === "rare") return true;
  const share = name === "same" && kept !== undefined ? standsOutOfSameName : standsOut;
  return score - next >= Math.max(doubt, share * (1 - score));
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
  const named = (known[0]?.children ?? []).filter(
    (unit) => declaresName(unit) && !isImport(unit) && !commonNames.has(unit.name ?? ""),
  );
  // Renamed identifiers have their old names in the pairing.
  const kept = named.filter(
    (unit) => tree.units[pairing.unitOf(unit)?.index ?? -1]?.name === unit.name,
  );
  return named.length === 0 ? undefined : totalSize(kept) / totalSize(named);
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

/** What its source says where it has not changed: names, and the lines with comments. */
function wordsOf({ outline, ghostMarkers }: CommentsDocument): readonly string[] {
  const units = outline === undefined ? [] : unitsOf(outline, new Map());
  const names = units.map(({ name }) => lastIdentifier(name) ?? "");
  const quotes = ghostMarkers.map(({ tracking }) => tracking?.quote.exact ?? "");
  const words = [...new Set([...names, ...quotes])].filter((word) => word.length > 3);
  return words.slice(0, mostWords);
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

/** What the names of two files have in common. */
function sameness(one: string, other: string, isRare: boolean): "rare" | "same" | "other" {
  if (nameOf(one) === nameOf(other) && isRare) return "rare";
  return baseOf(one) === baseOf(other) ? "same" : "other";
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name of a file; with its folder where it says nothing itself. */
function nameOf(path: string): string {
  const [file = "", folder] = path.split("/").reverse();
  const isPlain = folder === undefined || !namesOfFolders.has(file.split(".")[0] ?? "");
  return isPlain ? file : `${folder}/${file}`;
}

function extensionOf(path: string): string {
  return path.split(".").at(-1)?.toLowerCase() ?? "";
}
