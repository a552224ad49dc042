import { Change, Chunk } from "@codemirror/merge";
import type { Text } from "@codemirror/state";
import type { SequenceChange } from "@idewire/core/internal/hunks";
import { diffProse } from "./compare-once.ts";

let isDone = false;

/**
 * The library joins two changes with only one short line between them. Paragraphs are separated by a single empty
 * line, and each should be decided separately, so chunks are split wherever a line in between is unchanged. This
 * patches only the copy of the library that is bundled here.
 */
export function separateChunks(): void {
  if (isDone) return;
  isDone = true;
  const build = Chunk.build.bind(Chunk);
  const updateA = Chunk.updateA.bind(Chunk);
  const updateB = Chunk.updateB.bind(Chunk);
  Chunk.build = (a, b, config) => separate(build(a, b, config), a, b);
  Chunk.updateA = (chunks, a, ...rest) => separate(updateA(chunks, a, ...rest), a, rest[0]);
  Chunk.updateB = (chunks, a, ...rest) => separate(updateB(chunks, a, ...rest), a, rest[0]);
}

/** The changes of chunks that need no split. */
const whole = new WeakSet<readonly Change[]>();

/** Longer chunks stay whole. */
const MAX_LENGTH = 100_000;

function separate(chunks: readonly Chunk[], a: Text, b: Text): readonly Chunk[] {
  return chunks.flatMap((chunk) => {
    const length = chunk.toA - chunk.fromA + chunk.toB - chunk.fromB;
    return whole.has(chunk.changes) || length > MAX_LENGTH ? chunk : split(chunk, a, b);
  });
}

/** Compares the lines of the chunk again: its own changes no longer show what is between them. */
function split(chunk: Chunk, a: Text, b: Text): readonly Chunk[] {
  const ours = a.sliceString(chunk.fromA, Math.min(chunk.toA, a.length));
  const theirs = b.sliceString(chunk.fromB, Math.min(chunk.toB, b.length));
  const groups: { lines: SequenceChange; changes: Change[] }[] = [];
  for (const change of diffProse(ours, theirs)) {
    const lines = linesOf(chunk, change, { a, b });
    const last = groups.at(-1);
    if (last !== undefined && (lines.fromA <= last.lines.toA || lines.fromB <= last.lines.toB)) {
      last.changes.push(change);
      last.lines = { ...last.lines, toA: lines.toA, toB: lines.toB };
    } else groups.push({ lines, changes: [change] });
  }
  // An unsplit chunk keeps its identity: widgets are cached by it.
  if (groups.length < 2) {
    whole.add(chunk.changes);
    return [chunk];
  }
  return groups.map(({ lines: { fromA, toA, fromB, toB }, changes }) => {
    const moved = changes.map((change) => move(change, chunk.fromA - fromA, chunk.fromB - fromB));
    whole.add(moved);
    return new Chunk(moved, fromA, toA, fromB, toB, chunk.precise);
  });
}

/** The lines of a change, as the library counts them. */
function linesOf(chunk: Chunk, change: Change, { a, b }: { a: Text; b: Text }): SequenceChange {
  const { fromA, toA, fromB, toB } = move(change, chunk.fromA, chunk.fromB);
  const startA = a.lineAt(fromA);
  const startB = b.lineAt(fromB);
  const isAtEnds =
    startA.to === fromA && startB.to === fromB && fromA < a.length && fromB < b.length;
  const endA = a.lineAt(toA);
  const endB = b.lineAt(toB);
  const isAtStarts = endA.from === toA && endB.from === toB;
  const from = isAtEnds ? [fromA + 1, fromB + 1] : [startA.from, startB.from];
  const to = isAtStarts ? [toA, toB] : [endA.to + 1, endB.to + 1];
  const [firstA = 0, firstB = 0] = from;
  const [lastA = 0, lastB = 0] = to;
  return {
    fromA: firstA,
    toA: Math.max(firstA, lastA),
    fromB: firstB,
    toB: Math.max(firstB, lastB),
  };
}

function move({ fromA, toA, fromB, toB }: Change, a: number, b: number): Change {
  return new Change(fromA + a, toA + a, fromB + b, toB + b);
}
