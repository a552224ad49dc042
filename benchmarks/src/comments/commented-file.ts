import { writeFileSync } from "node:fs";
import { createSourceReader, makeAnchor, outlineOf, writeDocument } from "@idewire/paired-comments";
import type { UnitTree } from "@idewire/paired-comments/internal";
import { readGrammarFile } from "@idewire/paired-comments/node";

interface Size {
  readonly functions: number;
  readonly comments: number;
}

const reader = createSourceReader(readGrammarFile);
const linesOfFunction = 8;
let written = 0;
let lastTree: { readonly source: string; readonly tree: UnitTree } | undefined;

/** Writes a source of functions of eight lines, with comments beside it; resolves to the source. */
export async function writeCommented(path: string, size: Size): Promise<string> {
  const { source, comments } = await commentedSource(path.split("/").at(-1) ?? "", size);
  writeFileSync(path, source);
  writeFileSync(`${path}.comments`, comments);
  return source;
}

/** A source of functions of eight lines, and the text of the comments beside it. */
export async function commentedSource(
  path: string,
  { functions, comments }: Size,
): Promise<{ readonly source: string; readonly comments: string }> {
  const source = Array.from({ length: functions }, (_, index) => functionOf(index)).join("");
  const tree = lastTree?.source === source ? lastTree.tree : await reader.read(path, source);
  lastTree = { source, tree };
  const lines = functions * linesOfFunction;
  const places = Array.from({ length: comments }, (_, index) => ({
    id: 1_700_000_000_000 + index,
    line: 1 + Math.floor((index * lines) / comments),
  }));
  const text = writeDocument({
    filePath: path,
    comments: places.map(({ id }, index) => ({
      ...nextTimes(),
      id: `c_${id}`,
      text: `TODO: number ${index} of these, which says what is to be done here`,
      tag: "TODO",
      author: "bench",
      unknown: {},
    })),
    ghostMarkers: places.map(({ id, line }) => ({
      id: `gm_${id}`,
      commentId: `c_${id}`,
      line,
      originalLine: line,
      tracking: makeAnchor(tree, { line }),
      unknown: {},
    })),
    outline: outlineOf(tree),
    unknown: {},
  });
  return { source, comments: text };
}

/** Each comment has its own millisecond, and half of them have been edited. */
function nextTimes(): { readonly created: string; readonly updated: string } {
  const createdMs = Date.UTC(2026, 0, 1) + written * 61_003;
  const editedMs = written++ % 2 === 0 ? 0 : 7_919;
  return {
    created: new Date(createdMs).toISOString(),
    updated: new Date(createdMs + editedMs).toISOString(),
  };
}

/** As many functions, none of which is like one of {@link commentedSource}; others in each round. */
export function rewrittenSource(functions: number, round: number): string {
  return Array.from({ length: functions }, (_, index) => otherFunctionOf(index, round)).join("");
}

function otherFunctionOf(index: number, round: number): string {
  return `
/** Picks rows of sort ${index}. */
export const pick${index}In${round} = (rows: Row[], found: Row[] = []) => {
  for (const row of rows) if (row.sort === ${index + round}) found.push(row);
  while (found.length > ${index}) found.pop();
  return found.map(({ key }) => key);
};

`;
}

function functionOf(index: number): string {
  return `
/** Adds up the values of kind ${index}. */
export function total${index}(values: readonly number[]): number {
  const sum = values.reduce((all, value) => all + value * ${index}, 0);
  if (sum > ${index}) report("kind ${index}", sum);
  return sum;
}

`;
}
