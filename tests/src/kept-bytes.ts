import fc from "fast-check";
import { seed } from "./fuzz.ts";

/** A line and its ending; the last one may have none. */
interface Line {
  readonly words: string;
  readonly end: string;
}

const WORDS = ["alpha", "beta", "gamma ray", "delta", "", "é😀", "\u2028in", "x\uFEFFy"];
const ENDS = ["\n", "\r\n", "\r"];

const words = fc.constantFrom(...WORDS);
/** All lines have the same ending, or each its own. */
const lines: fc.Arbitrary<readonly Line[]> = fc
  .constantFrom(["\n"], ["\r\n"], ["\r"], ENDS, ["\n", "\r\n"])
  .chain((ends) =>
    fc.array(fc.record({ words, end: fc.constantFrom(...ends) }), { minLength: 1, maxLength: 12 }),
  );

function format(all: readonly Line[], { isEnded, bom }: Shape): string {
  const text = all.map(({ words: line, end }) => line + end).join("");
  const last = all.at(-1)?.end.length ?? 0;
  return (bom ? "\uFEFF" : "") + (isEnded ? text : text.slice(0, text.length - last));
}

interface Shape {
  readonly isEnded: boolean;
  readonly bom: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({ isEnded: fc.boolean(), bom: fc.boolean() });

/** A text with line endings of all kinds, with or without a byte order mark. */
export const anyFile: fc.Arbitrary<string> = fc
  .tuple(lines, shape)
  .map(([all, s]) => format(all, s));

/** A text and an agent's version: some lines are added, removed or changed, or all endings change. */
export const anyProposal: fc.Arbitrary<{ readonly before: string; readonly after: string }> = fc
  .record({
    before: lines,
    changes: fc.array(fc.constantFrom("keep", "keep", "keep", "change", "drop", "add"), {
      minLength: 12,
      maxLength: 12,
    }),
    end: fc.option(fc.constantFrom(...ENDS), { nil: undefined, freq: 2 }),
    shapes: fc.tuple(shape, shape),
  })
  .map(({ before, changes, end, shapes: [old, next] }) => {
    const after = before.flatMap((line, index): Line[] => {
      const kept = { ...line, end: end ?? line.end };
      const change = changes[index];
      if (change === "drop") return [];
      if (change === "change") return [{ ...kept, words: `${kept.words} changed` }];
      return change === "add" ? [kept, { ...kept, words: `added ${index}` }] : [kept];
    });
    return { before: format(before, old), after: format(after, next) };
  });

/** The lines of a text with their endings; joined they are the text. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];
}

/** The text with words appended to one line, and no other change. */
export function editLine(text: string, index: number, added: string): string {
  const lines = linesOf(text);
  if (index >= lines.length) return text + added;
  return lines
    .map((line, at) => (at === index ? line.replace(/(?=[\r\n]|$)/, added) : line))
    .join("");
}

/**
 * The fault of a text merged from two others: each line must be one of theirs, with its ending. If a proposal
 * has a single ending, that is a separate change: then a line of either side may have it, or the single ending
 * of the old text.
 */
export function strangeLines(got: string, before: string, after: string): readonly string[] {
  const [lines, old, next] = [got, before, after].map((text) =>
    linesOf(text.replace(/^\uFEFF/, "")),
  );
  const known = new Set([...(old ?? []), ...(next ?? [])]);
  const styles = [...stylesOf(next ?? []), ...stylesOf(old ?? [])];
  const isRestyled = stylesOf(next ?? []).length === 1;
  const restyled = new Set([...known].flatMap((line) => styles.map((end) => wordsOf(line) + end)));
  return (lines ?? []).filter((line) => !known.has(line) && !(isRestyled && restyled.has(line)));
}

/** The common ending of all lines, if there is one. */
function stylesOf(lines: readonly string[]): readonly string[] {
  const ends = new Set(lines.map(endOf).filter((end) => end !== ""));
  return ends.size === 1 ? [...ends] : [];
}

function endOf(line: string): string {
  return /[\r\n]*$/.exec(line)?.[0] ?? "";
}

function wordsOf(line: string): string {
  return line.replace(/[\r\n]+$/, "");
}

/** A number of cases, the same for each seed. */
export function sample<T>(values: fc.Arbitrary<T>, count: number): readonly T[] {
  return fc.sample(values, { seed, numRuns: count });
}
