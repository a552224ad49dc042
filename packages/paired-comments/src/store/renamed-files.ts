import { type AnyUnit, declaresName, type KnownUnit } from "../anchors/matching/known-unit.ts";
import { matchTrees } from "../anchors/matching/match-trees.ts";
import type { Pairing } from "../anchors/matching/pairing.ts";
import { unitsOf } from "../anchors/store/outline.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import { lastIdentifier } from "../anchors/units/unit-builder.ts";
import type { CommentsDocument } from "../format/document.ts";
import { extensionsFor } from "./elsewhere.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostParsed = 10;
const largestFile = 500_000;
/** Of the names and quotes: others are not parsed. */
const mentionedEnough = 0.5;
/** Of the code, under another name: files that were made after one pattern have most in common. */
const likeEnough = 0.75;
/** Where no name tells them apart. */
const likeEnoughWithoutNames = 0.9;
/** Of the declarations directly in the file, by size: a file made after the same pattern has names of its own. */
const namesKeptEnough = 0.75;
/** In another folder, under a name that no other source has: of the code, and of the names. */
const likeEnoughOfSameName = 0.4;
/** What any file may export. */
const commonNames: ReadonlySet<string> = new Set(["module.exports", "exports", "default"]);
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
    const base = baseOf(filePath);
    const isRare = sources.filter((path) => baseOf(path) === base).length === 1;
    const key = [document.outline?.hash, isRare, ...free].join("\n");
    const known = this.#known.get(filePath);
    if (known?.key === key) return known.path;
    const path = await this.#mostAlike(document, free, isRare ? base : undefined);
    this.#known.set(filePath, { key, path });
    return path;
  }

  async #mostAlike(
    document: CommentsDocument,
    paths: readonly string[],
    rareName: string | undefined,
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
      if (share >= mentionedEnough) hopeful.push({ path, source, share });
    }
    const known = unitsOf(outline, new Map());
    const scores: { readonly path: string; readonly score: number }[] = [];
    const likeliest = hopeful.sort((a, b) => b.share - a.share).slice(0, mostParsed);
    for (const { path, source } of likeliest) {
      const tree = await this.#reader.read(path, source);
      const isSameName = baseOf(path) === rareName;
      const score = tree.hash === outline.hash ? 1 : likeness(known, tree, isSameName);
      if (score > 0) scores.push({ path, score });
    }
    const [first, second] = scores.sort((a, b) => b.score - a.score);
    if (first === undefined) return undefined;
    return second !== undefined && first.score - second.score < doubt ? undefined : first.path;
  }
}

/** How much of the code of both sources is the same; 0 where it is too little to take one for the other. */
function likeness(known: readonly KnownUnit[], tree: UnitTree, isSameName: boolean): number {
  const { pairing } = matchTrees(known, tree);
  const score = shareInCommon(known, tree, pairing);
  const kept = namesKept(known, tree, pairing);
  if (isSameName)
    return score >= likeEnoughOfSameName && (kept ?? 1) >= likeEnoughOfSameName ? score : 0;
  const least = kept === undefined ? likeEnoughWithoutNames : likeEnough;
  return score >= least && (kept ?? 1) >= namesKeptEnough ? score : 0;
}

/** The share of the declarations directly in the file, by size, that have their names still; undefined without any. */
function namesKept(
  known: readonly KnownUnit[],
  tree: UnitTree,
  pairing: Pairing,
): number | undefined {
  const named = (known[0]?.children ?? []).filter(
    (unit) => declaresName(unit) && !commonNames.has(unit.name ?? ""),
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

/** Of both sources: how much of their code is the same, or has changed in its place. */
function shareInCommon(known: readonly KnownUnit[], tree: UnitTree, pairing: Pairing): number {
  let common = 0;
  for (const unit of known) {
    const pair = pairing.pairOf(unit);
    if (pair === undefined || unit.parent === undefined || unit.type === "comment") continue;
    common += pair.similarity * Math.min(ownSize(unit), ownSize(pair.unit));
  }
  const total = (known[0]?.size ?? 0) + (tree.units[0]?.size ?? 0);
  return total === 0 ? 0 : (2 * common) / total;
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

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function extensionOf(path: string): string {
  return path.split(".").at(-1)?.toLowerCase() ?? "";
}
