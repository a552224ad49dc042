import fc from "fast-check";
import { expect, test } from "vitest";
import { diffSequences, type SequenceChange } from "./sequences.ts";

// A fixed seed: every run tests the same sequences.
fc.configureGlobal({ seed: 20_261_122 });

const items = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 30 });

function apply(a: readonly string[], b: readonly string[], changes: readonly SequenceChange[]) {
  const result: string[] = [];
  let at = 0;
  for (const { fromA, toA, fromB, toB } of changes) {
    result.push(...a.slice(at, fromA), ...b.slice(fromB, toB));
    at = toA;
  }
  return [...result, ...a.slice(at)];
}

test("the changes, applied to the first, result in the second", () => {
  fc.assert(
    fc.property(items, items, (a, b) => void expect(apply(a, b, diffSequences(a, b))).toEqual(b)),
  );
});

test("the changes ascend and are separated by unchanged items", () => {
  fc.assert(
    fc.property(items, items, (a, b) => {
      let last = { toA: -1, toB: -1 };
      for (const change of diffSequences(a, b)) {
        expect(change.fromA > last.toA && change.fromB > last.toB).toBe(true);
        expect(change.fromA < change.toA || change.fromB < change.toB).toBe(true);
        last = change;
      }
    }),
  );
});

test("no change is empty", () => {
  const changes = diffSequences([..."aaacfa"], [..."fcfca"]);
  expect(changes.filter(({ fromA, toA, fromB, toB }) => fromA === toA && fromB === toB)).toEqual(
    [],
  );
});

test("equal sequences do not differ", () => {
  fc.assert(fc.property(items, (a) => void expect(diffSequences(a, [...a])).toEqual([])));
});

test("a unique item is an anchor, however much around it has changed", () => {
  const a = [...Array.from({ length: 500 }, (_, i) => `a${i}`), "anchor", "x"];
  const b = [...Array.from({ length: 300 }, (_, i) => `b${i}`), "anchor", "y"];
  expect(diffSequences(a, b)).toEqual([
    { fromA: 0, toA: 500, fromB: 0, toB: 300 },
    { fromA: 501, toA: 502, fromB: 301, toB: 302 },
  ]);
});

test("a hundred thousand lines, some of them changed, are compared in reasonable time", () => {
  const a = Array.from({ length: 100_000 }, (_, i) => `line ${i} of a long note`);
  const b = a.map((line, i) => (i % 1000 === 0 ? `${line}, changed` : line));
  expect(diffSequences(a, b).length).toBe(100);
});

test("a hundred thousand lines without a common one are compared in reasonable time", () => {
  const a = Array.from({ length: 100_000 }, (_, i) => `a ${i}`);
  const b = Array.from({ length: 100_000 }, (_, i) => `b ${i}`);
  expect(diffSequences(a, b)).toEqual([{ fromA: 0, toA: 100_000, fromB: 0, toB: 100_000 }]);
});
