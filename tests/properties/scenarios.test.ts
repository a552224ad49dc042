import { readdirSync, readFileSync } from "node:fs";
import { scenarioLimits } from "@idewire/devtools/internal";
import { parseScenario } from "@idewire/devtools/scenario";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, seed } from "../src/fuzz.ts";

announceSeed();

const folder = new URL("../../examples/scenarios/", import.meta.url);

const lines = readdirSync(folder)
  .filter((name) => name.endsWith(".jsonl"))
  .flatMap((name) => readFileSync(new URL(name, folder), "utf8").trim().split("\n"));

const header = '{"idewire":"scenario/1","name":"x"}';

/** Names and values that break code which trusts them. */
const hostile = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "$like", "$path", "\0", "\ud800", "../x"),
  fc.constantFrom(-1, 1e308, Number.MAX_SAFE_INTEGER, null, true, "", [], {}),
  fc.jsonValue(),
);

/** A line of the examples with one member replaced or added. */
const mutated = fc
  .tuple(fc.constantFrom(...lines), fc.nat(), hostile, fc.string())
  .map(([line, at, value, name]) => {
    const step = JSON.parse(line) as Record<string, unknown>;
    const keys = [...Object.keys(step), name];
    return JSON.stringify({ ...step, [keys[at % keys.length] ?? ""]: value });
  });

/** A line of the examples, cut or with a piece of another one inserted. */
const broken = fc
  .tuple(fc.constantFrom(...lines), fc.constantFrom(...lines), fc.nat(), fc.nat())
  .map(
    ([one, other, cut, piece]) =>
      one.slice(0, cut % one.length) + other.slice(piece % other.length),
  );

const anyLine = fc.oneof(mutated, broken, fc.string(), fc.json(), fc.constantFrom(...lines));

test("any file is a scenario, or each fault has its line and a short message", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 8 }), fc.boolean(), (body, isHeaded) => {
      const text = [...(isHeaded ? [header] : []), ...body].join("\n");
      const result = parseScenario(text);
      if (result.ok) return;
      const count = text.split("\n").length;
      expect(result.issues.length).toBeGreaterThan(0);
      for (const { line, issue } of result.issues) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(count);
        expect(issue.length).toBeLessThan(1_000);
      }
    }),
    { seed, numRuns: 500 },
  );
});

test("an accepted scenario is the same when it is read again", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 4 }), (body) => {
      const first = parseScenario([header, ...body].join("\n"));
      if (!first.ok) return;
      const { header: head, steps } = first.value;
      const again = parseScenario(
        [head, ...steps.map(({ step }) => step)].map((line) => JSON.stringify(line)).join("\n"),
      );
      expect(again).toMatchObject({
        ok: true,
        value: { steps: steps.map(({ step }) => ({ step })) },
      });
    }),
    { seed, numRuns: 500 },
  );
});

test.each([
  ["one line of 16 Mi", "x".repeat(scenarioLimits.textLength)],
  ["a million lines", "{}\n".repeat(1_000_000)],
  ["a million empty lines", `${header}${"\n".repeat(1_000_000)}`],
  ["brackets only", `${header}\n${"[".repeat(1_000_000)}`],
  [
    "a million names",
    `${header}\n{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":0`).join()}}`,
  ],
  ["quotes only", `${header}\n${'"'.repeat(1_000_000)}`],
])("%s costs no more than a moment", (_, text) => {
  const before = process.cpuUsage();
  parseScenario(text);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(15_000);
});
