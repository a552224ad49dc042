import type { Edit, Parser, Tree, TreeCursor } from "web-tree-sitter";
import {
  mostUnits,
  type ParsedSource,
  type ReadUnits,
  type TopNode,
  UnitReader,
} from "./read-units.ts";

/** A source and its syntax tree, which the owner deletes. */
export interface SourceTree extends EarlierUnits {
  readonly tree: Tree;
}

/** Offsets in a source, in UTF-16 code units, end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The changed range, before and after the change. */
export interface TextChange {
  readonly before: Stretch;
  readonly after: Stretch;
}

/** The range between the common prefix and the common suffix of two texts. */
function changeBetween(before: string, after: string): TextChange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let rest = 0;
  const most = shorter - start;
  const [last, lastAfter] = [before.length - 1, after.length - 1];
  while (rest < most && before.charCodeAt(last - rest) === after.charCodeAt(lastAfter - rest))
    rest++;
  return {
    before: { start, end: before.length - rest },
    after: { start, end: after.length - rest },
  };
}

export interface ReparsedSource {
  readonly tree: Tree;
  /** The range of the new source whose text or syntax has changed. */
  readonly changed: Stretch;
}

/**
 * Parses a later version of a source incrementally. Undefined on syntax errors: error recovery would depend on
 * the earlier tree.
 */
export function reparse(
  { source: before, tree: known, read }: SourceTree,
  after: string,
  parser: Parser,
): ReparsedSource | undefined {
  const change = changeBetween(before, after);
  const earlier = known.copy();
  try {
    earlier.edit(editOf(widen(change, read), before, after));
    const tree = parser.parse(after, earlier);
    if (tree === null) return undefined;
    if (tree.rootNode.hasError) {
      tree.delete();
      return undefined;
    }
    const ranges = earlier.getChangedRanges(tree);
    return {
      tree,
      changed: {
        start: Math.min(change.after.start, ...ranges.map(({ startIndex }) => startIndex)),
        end: Math.max(change.after.end, ...ranges.map(({ endIndex }) => endIndex)),
      },
    };
  } finally {
    earlier.delete();
  }
}

/**
 * Extends a change to the adjacent top-level nodes: an incremental parser reuses text before a change even if it
 * would be tokenised differently now, such as the end of a statement before a comment.
 */
function widen({ before, after }: TextChange, { nodes, tree }: ReadUnits): TextChange {
  const isComment = (index: number) => tree.units[nodes[index]?.unit ?? 0]?.type === "comment";
  let first = nodes.findIndex(({ end }) => end >= before.start);
  if (first < 0) first = nodes.length;
  do first--;
  while (first > 0 && isComment(first));
  let last = nodes.findIndex(({ start }) => start > before.end);
  while (isComment(last)) last++;
  const start = Math.min(before.start, nodes[Math.max(first, 0)]?.start ?? before.start);
  const rest = Math.max(0, (nodes[last]?.end ?? before.end) - before.end);
  return {
    before: { start, end: before.end + rest },
    after: { start, end: after.end + rest },
  };
}

function editOf({ before: old, after: fresh }: TextChange, before: string, after: string): Edit {
  return {
    startIndex: old.start,
    oldEndIndex: old.end,
    newEndIndex: fresh.end,
    startPosition: pointAt(before, old.start),
    oldEndPosition: pointAt(before, old.end),
    newEndPosition: pointAt(after, fresh.end),
  } as Edit;
}

function pointAt(text: string, offset: number): { readonly row: number; readonly column: number } {
  let row = 0;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", start)) {
    row++;
    start = at + 1;
  }
  return { row, column: offset - start };
}

/** An earlier version of a source and its units. */
export interface EarlierUnits {
  readonly source: string;
  readonly read: ReadUnits;
}

/**
 * As `readUnits`, but reuses the top-level nodes of an earlier version before and after the change. Undefined if
 * there are too many units.
 */
export function readChangedUnits(
  parsed: ParsedSource,
  { source: before, read }: EarlierUnits,
  changed: Stretch,
): ReadUnits | undefined {
  const { source, cursor } = parsed;
  const characters = source.length - before.length;
  const nodes = topNodesOf(cursor);
  const same = (index: number, other: number, moved: number): boolean =>
    isSame(read.nodes[index], nodes[other], moved);
  const most = Math.min(nodes.length, read.nodes.length);
  let head = 0;
  while (head < most && (nodes[head]?.end ?? 0) < changed.start && same(head, head, 0)) head++;
  const [last, lastAfter] = [read.nodes.length - 1, nodes.length - 1];
  let tail = 0;
  while (
    tail < most - head &&
    (nodes[lastAfter - tail]?.start ?? 0) > changed.end &&
    same(last - tail, lastAfter - tail, characters)
  ) {
    tail++;
  }
  const reader = new UnitReader(parsed);
  reader.adopt(read, [0, head], { characters: 0, lines: 0 });
  readBetween(reader, cursor, [head, nodes.length - tail]);
  const lines = countBreaks(source) - countBreaks(before);
  reader.adopt(read, [read.nodes.length - tail, read.nodes.length], { characters, lines });
  const units = reader.finish();
  // Above the limit, the result depends on the order of reading.
  return units.tree.units.length < mostUnits ? units : undefined;
}

function readBetween(
  reader: UnitReader,
  cursor: TreeCursor,
  [from, to]: readonly [number, number],
): void {
  if (from >= to || !cursor.gotoFirstChild()) return;
  for (let index = 0; index < to; index++) {
    if (index >= from) reader.readTopNode();
    cursor.gotoNextSibling();
  }
}

type NodePlace = Pick<TopNode, "type" | "start" | "end">;

/** Expects the cursor at the root and leaves it there. */
function topNodesOf(cursor: TreeCursor): readonly NodePlace[] {
  const nodes: NodePlace[] = [];
  if (!cursor.gotoFirstChild()) return nodes;
  do nodes.push({ type: cursor.nodeTypeId, start: cursor.startIndex, end: cursor.endIndex });
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return nodes;
}

function isSame(old: NodePlace | undefined, node: NodePlace | undefined, moved: number): boolean {
  if (old === undefined || node === undefined || old.type !== node.type) return false;
  return old.start + moved === node.start && old.end + moved === node.end;
}

/** Counts `\r\n`, `\r` and `\n`. */
function countBreaks(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) count++;
  }
  return count;
}
