import { readGrammarFile } from "../../grammar-files.ts";
import { type Resolution, resolveAnchors } from "../resolve/resolve.ts";
import { type LineRange, makeAnchor } from "../store/make-anchor.ts";
import { type Outline, outlineOf } from "../store/outline.ts";
import { createSourceReader, type SourceReader } from "../syntax/parsers.ts";

export const reader: SourceReader = createSourceReader(readGrammarFile);

/** Finds the place of a comment in a later source; its anchor is serialised as JSON in between. */
export async function follow(
  path: string,
  before: string,
  after: string,
  range: LineRange,
): Promise<Resolution> {
  const tree = await reader.read(path, before);
  const kept = JSON.stringify({ outline: outlineOf(tree), anchor: makeAnchor(tree, range) });
  const { outline, anchor } = JSON.parse(kept) as {
    readonly outline: Outline;
    readonly anchor: ReturnType<typeof makeAnchor>;
  };
  const fresh = await reader.read(path, after);
  const [resolution] = resolveAnchors(outline, [{ anchor, ...range }], fresh);
  if (resolution === undefined) throw new Error("a comment without a resolution");
  return resolution;
}

/** The 1-based number of the only line that contains a text. */
export function lineOf(source: string, text: string): number {
  const lines = source.split("\n");
  const index = lines.findIndex((line) => line.includes(text));
  if (index < 0) throw new Error(`no line contains ${text}`);
  return index + 1;
}
