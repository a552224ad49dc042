import fc from "fast-check";
import { expect, test } from "vitest";
import { outlineOf, unitsOf } from "../store/outline.ts";
import { readTextUnits } from "../units/text-units.ts";
import type { Unit } from "../units/unit.ts";
import type { KnownUnit } from "./known-unit.ts";
import { settle } from "./match-trees.ts";
import { matchUnchanged } from "./match-unchanged.ts";
import { Pairing } from "./pairing.ts";

// Few texts and names, so that most are there again elsewhere.
const statement = fc.constantFrom("go();", "run(1);", "stop();");
const body = fc.array(statement, { maxLength: 2 });
const declaration = fc.record({
  name: fc.constantFrom("a", "b", "c", undefined),
  value: fc.constantFrom("one", "two"),
  body,
});
const file = fc.array(declaration, { maxLength: 6 });

/** A list of declarations as units, named as a grammar would. */
function unitsFrom(declarations: readonly Parts[]): readonly Unit[] {
  const text = declarations.map(({ value, body: lines }) =>
    [value, ...lines.map((line) => `  ${line}`)].join("\n"),
  );
  const { units } = readTextUnits(text.join("\n"));
  const [root] = units;
  const tops = root?.children ?? [];
  for (const [index, top] of tops.entries()) {
    Object.assign(top, { name: declarations[index]?.name });
  }
  return units;
}

interface Parts {
  readonly name: string | undefined;
  readonly value: string;
  readonly body: readonly string[];
}

function pairsOf(before: readonly KnownUnit[], after: readonly Unit[], isFirst: boolean) {
  const pairing = new Pairing();
  const [known] = before;
  const [unit] = after;
  if (known === undefined || unit === undefined) throw new Error("There are no units");
  pairing.add(known, { unit, reason: "name", similarity: 1 });
  if (isFirst) matchUnchanged(known, unit, pairing);
  const count = pairing.size;
  settle(before, pairing);
  const pairs = before.map((each) => {
    const pair = pairing.pairOf(each);
    return pair && [pair.unit.index, pair.reason, pair.similarity];
  });
  return { pairs, count };
}

/** What ends the file stands before it as well, where it has lost its name: which of both is meant? */
const lastIsAgainBefore: [Parts[], Parts[], Parts[], Parts[]] = [
  [],
  [
    { name: "a", value: "one", body: [] },
    { name: undefined, value: "one", body: [] },
  ],
  [],
  [{ name: undefined, value: "one", body: [] }],
];

test("unchanged units are paired as by the complete algorithm", () => {
  let paired = 0;
  const property = fc.property(file, file, file, file, (head, old, fresh, tail) => {
    const was = unitsFrom([...head, ...old, ...tail]);
    const before = unitsOf(
      outlineOf({ language: "text", units: was, tokens: [], lines: [], hash: "" }),
      new Map(),
    );
    const after = unitsFrom([...head, ...fresh, ...tail]);
    const quick = pairsOf(before, after, true);
    paired += quick.count - 1;
    expect(quick.pairs).toEqual(pairsOf(before, after, false).pairs);
  });
  fc.assert(property, { numRuns: 400, examples: [lastIsAgainBefore] });
  expect(paired).toBeGreaterThan(50);
});
