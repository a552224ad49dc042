import { type Candidate, candidatesIn } from "../anchors/resolve/candidates.ts";
import type { Anchor } from "../anchors/store/anchor.ts";
import { languageOf } from "../anchors/syntax/languages.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import { lastIdentifier } from "../anchors/units/unit-builder.ts";
import { isOrphan, type LocatedComment, type LocatedFile } from "./located-comments.ts";
import type { CommentWorkspace } from "./workspace.ts";

const mostFiles = 5_000;
const mostParsed = 100;
const largestFile = 500_000;
const mostCandidates = 3;

/** Code moves between these without a change of language. */
const families: readonly (readonly string[])[] = [
  ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"],
  ["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "hxx"],
];

/** Where to look. */
export interface Search {
  readonly workspace: CommentWorkspace;
  readonly reader: SourceReader;
  /** The sources that candidates may be in; all when left out. */
  readonly among?: ((filePath: string) => boolean) | undefined;
}

/**
 * The file with candidates in other files for its orphans. Only files that have the text of a line, or
 * the name of a declaration, are parsed.
 */
export async function withCandidatesElsewhere(
  file: LocatedFile,
  { workspace, reader, among = () => true }: Search,
): Promise<LocatedFile> {
  const lost = file.comments.filter(
    (located) => isOrphan(located) && anchorOf(located) !== undefined,
  );
  if (lost.length === 0) return file;
  const found = new Map<LocatedComment, Candidate[]>();
  let parsed = 0;
  const paths = await workspace.findSources(extensionsFor(file.filePath));
  for (const path of paths.slice(0, mostFiles)) {
    if (path === file.filePath || parsed >= mostParsed || !among(path)) continue;
    const source = await workspace.readSource(path).catch(() => undefined);
    if (source === undefined || source.length > largestFile) continue;
    const wanted = lost.filter((located) => mentions(source, anchorOf(located)));
    if (wanted.length === 0) continue;
    parsed++;
    const tree = await reader.read(path, source);
    for (const located of wanted) {
      const anchor = anchorOf(located);
      if (anchor === undefined) continue;
      found.set(located, [...(found.get(located) ?? []), ...candidatesIn(anchor, path, tree)]);
    }
  }
  return { ...file, comments: file.comments.map((each) => withCandidates(each, found.get(each))) };
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

function mentions(source: string, anchor: Anchor | undefined): boolean {
  const exact = anchor?.quote.exact ?? "";
  const name = lastIdentifier(anchor?.scope.at(-1)) ?? "";
  return (exact.length > 2 && source.includes(exact)) || (name.length > 2 && source.includes(name));
}

/** The extensions of the files that code of this one may go to. */
export function extensionsFor(path: string): readonly string[] {
  const extension = path.split(".").at(-1)?.toLowerCase() ?? "";
  const family = families.find((each) => each.includes(extension));
  return family ?? languageOf(path)?.extensions ?? [extension];
}
