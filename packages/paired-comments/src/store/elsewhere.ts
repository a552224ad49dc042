import { type KnownUnit, topLevelOf } from "../anchors/matching/known-unit.ts";
import {
  type Candidate,
  candidatesIn,
  mostCandidates,
  movedTo,
} from "../anchors/resolve/candidates.ts";
import type { Anchor } from "../anchors/store/anchor.ts";
import { unitsOf } from "../anchors/store/outline.ts";
import { languageOf } from "../anchors/syntax/languages.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import { lastIdentifier } from "../anchors/units/unit-builder.ts";
import { likeliestFiles } from "./likeliest-files.ts";
import { outlineFor } from "./locate.ts";
import { isOrphan, type LocatedComment, type LocatedFile } from "./located-comments.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostFiles = 5_000;
/** Shorter lines occur in most files. */
const shortestBeside = 12;
const mostNamesInside = 8;

/** Extensions between which code may move. */
const families: readonly (readonly string[])[] = [
  ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
  ["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx"],
];

/** The scope of a search for candidates. */
export interface Search {
  readonly workspace: CommentWorkspace;
  readonly reader: SourceReader;
  /** Whether a source may contain candidates; all by default. */
  readonly among?: ((filePath: string) => boolean) | undefined;
}

/**
 * Adds candidates in other files for orphans. Only files that contain the text of a line, or the name of a
 * declaration, are parsed.
 */
export async function withCandidatesElsewhere(
  file: LocatedFile,
  { workspace, reader, among = () => true }: Search,
): Promise<LocatedFile> {
  const lost = file.comments.filter(
    (located) => isOrphan(located) && anchorOf(located) !== undefined,
  );
  if (lost.length === 0) return file;
  const known = knownUnits(file, lost);
  const found = new Map<LocatedComment, Candidate[]>();
  const paths = (await workspace.findSources(extensionsFor(file.filePath)))
    .filter((path) => path !== file.filePath && among(path))
    .slice(0, mostFiles);
  const terms = lost.map((located) => termsOf(anchorOf(located), known.get(located)));
  for (const path of await likeliestFiles(terms, paths, workspace)) {
    const source = await workspace.readSource(path).catch(() => undefined);
    if (source === undefined) continue;
    const tree = await reader.read(path, source);
    for (const [located, candidate] of candidatesAt(lost, known, path, tree)) {
      found.set(located, [...(found.get(located) ?? []), candidate]);
    }
  }
  return { ...file, comments: file.comments.map((each) => withCandidates(each, found.get(each))) };
}

type KnownUnits = ReadonlyMap<LocatedComment, KnownUnit>;

/** The units of comments in the current outline, without comments that were orphaned before. */
function knownUnits({ document }: LocatedFile, all: readonly LocatedComment[]): KnownUnits {
  const { outline } = document;
  const lost = all.filter(({ marker }) => outlineFor(document, marker) === outline);
  const points = lost.flatMap((located) => anchorOf(located)?.start ?? []);
  const tokens = new Map(points.map((point) => [point.unit, point.tokens]));
  const units = outline === undefined ? [] : unitsOf(outline, tokens);
  return new Map(
    lost.flatMap((located) => {
      const unit = units[anchorOf(located)?.start.unit ?? -1];
      return unit === undefined ? [] : [[located, unit]];
    }),
  );
}

function candidatesAt(
  lost: readonly LocatedComment[],
  known: KnownUnits,
  path: string,
  tree: UnitTree,
): readonly (readonly [LocatedComment, Candidate])[] {
  const there = [...known].flatMap(([located, unit]) => {
    const anchor = anchorOf(located);
    return anchor === undefined ? [] : [{ located, lost: { anchor, known: unit } }];
  });
  const moved = movedTo(
    there.map((each) => each.lost),
    path,
    tree,
  );
  const pairs = there.flatMap(({ located }, index) => {
    const candidate = moved[index];
    return candidate === undefined ? [] : [[located, candidate] as const];
  });
  const rest = lost.filter((located) => !known.has(located));
  const others = rest.flatMap((located) => {
    const anchor = anchorOf(located);
    const found = anchor === undefined ? [] : candidatesIn(anchor, path, tree);
    return found.map((candidate) => [located, candidate] as const);
  });
  return [...pairs, ...others];
}

function withCandidates(located: LocatedComment, more: readonly Candidate[] = []): LocatedComment {
  if (more.length === 0) return located;
  const candidates = [...located.place.candidates, ...more]
    .sort((a, b) => b.score - a.score)
    .slice(0, mostCandidates);
  return { ...located, place: { ...located.place, candidates } };
}

function anchorOf({ marker }: LocatedComment): Anchor | undefined {
  return marker.tracking;
}

/** Texts expected near a comment's code: its line, the adjacent lines, and the names around and inside. */
function termsOf(anchor: Anchor | undefined, known: KnownUnit | undefined): readonly string[] {
  if (anchor === undefined) return [];
  const { exact, prefix, suffix } = anchor.quote;
  const names = anchor.scope.map((name) => lastIdentifier(name) ?? "");
  const all = [
    exact,
    ...names,
    ...(known === undefined ? [] : namesInside(topLevelOf(known))),
    ...[prefix, suffix].filter((text) => text.length >= shortestBeside),
  ];
  return [...new Set(all)].filter((text) => text.length > 2);
}

/** Some names inside a declaration, which remain if it is renamed. */
function namesInside({ children }: KnownUnit): readonly string[] {
  const names = new Set<string>();
  const visit = (units: readonly KnownUnit[]): void => {
    for (const unit of units) {
      if (names.size >= mostNamesInside) return;
      const name = lastIdentifier(unit.name);
      if (name !== undefined) names.add(name);
      visit(unit.children);
    }
  };
  visit(children);
  return [...names];
}

/** The extensions of files that code of this one may move to. */
export function extensionsFor(path: string): readonly string[] {
  const extension = path.split(".").at(-1)?.toLowerCase() ?? "";
  const family = families.find((each) => each.includes(extension));
  return family ?? languageOf(path)?.extensions ?? [extension];
}
