import { claudeDiscovery, isCostly, jetBrainsDiscovery, parseJson } from "@idewire/core/internal";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { seed } from "../src/fuzz.ts";

fc.configureGlobal({ seed });

/** Shorter texts are not checked. */
const padding = " ".repeat(16_384);

/** The number of commas and opening brackets, and the depth, counted in the parsed value. */
function weigh(value: unknown): { readonly values: number; readonly depth: number } {
  if (typeof value !== "object" || value === null) return { values: 0, depth: 0 };
  const members = Object.values(value).map(weigh);
  const inside = members.reduce((sum, { values }) => sum + values, 0);
  const deepest = Math.max(0, ...members.map(({ depth }) => depth));
  return { values: 1 + Math.max(0, members.length - 1) + inside, depth: 1 + deepest };
}

describe("a JSON text is weighed before it is parsed", () => {
  test("by the characters outside its strings, whatever these contain", () => {
    const tricky = fc.string({ unit: fc.constantFrom('"', "\\", "[", "}", ",", "x", "\n", "中") });
    const long = fc
      .tuple(fc.constantFrom('\\"', "\\\\", '"', "x", "[\\"), fc.nat(200))
      .map(([unit, times]) => unit.repeat(times));
    const values = fc.jsonValue({ stringUnit: "grapheme" });
    const texts = fc.dictionary(tricky, fc.oneof(tricky, long, values));
    fc.assert(
      fc.property(texts, (value) => {
        const { values, depth } = weigh(value);
        const text = JSON.stringify(value) + padding;
        expect(isCostly(text, { maxValues: values, maxDepth: depth })).toBe(false);
        expect(isCostly(text, { maxValues: values - 1 })).toBe(true);
        expect(isCostly(text, { maxDepth: depth - 1 })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  const mib = 1 << 24;
  test.each([
    ["brackets", "[".repeat(mib)],
    ["objects in one another", '{"a":'.repeat(mib / 5)],
    ["empty objects", `[${"{},".repeat(mib / 3)}{}]`],
    ["numbers", `[${"1,".repeat(mib / 2)}1]`],
    ["keys", `{${Array.from({ length: mib / 16 }, (_, at) => `"${at}":0`).join()}}`],
    ["strings without a comma", '""'.repeat(mib / 2)],
    ["brackets after a long text", `["${"x".repeat(mib)}",${"[".repeat(300)}`],
  ])("16 MiB of %s are not parsed", (_, text) => {
    expect(isCostly(text)).toBe(true);
    expect(() => parseJson(text)).toThrow(/too many values or is nested/);
  });

  test.each<[string, string, Parameters<typeof isCostly>[1]?]>([
    ["one text", `["${"x".repeat(mib)}"]`],
    ["one text of escapes", `["${'\\"\\\\'.repeat(mib / 4)}"]`],
    ["lines of code", JSON.stringify('say("[{,}]");\n'.repeat(mib / 16))],
    [
      "a list of 500 tools",
      JSON.stringify(Array(500).fill({ name: "a", inputSchema: { type: "object" } })),
    ],
    ["closing brackets, where the parser stops", "]".repeat(mib)],
    ["one bare text, of quotes", `"${'\\"'.repeat(mib / 2)}x"`, { maxValues: 0 }],
  ])("%s: no more than a message needs", (_, text, limits) => {
    expect(isCostly(text, limits)).toBe(false);
  });

  test("in a time that grows with its length, wherever its quotes are", () => {
    for (const unit of ['\\"', "\\\\", '\\\\\\"', `${"x".repeat(65)}\\"`, " ", "1", '"" ', "{}"]) {
      const text = `"${unit.repeat((1 << 24) / unit.length)}"`;
      const before = process.cpuUsage();
      isCostly(text);
      isCostly(text.slice(1));
      // Measured: at most 0.2 s; quadratic time would be hours.
      expect(process.cpuUsage(before).user / 1_000, JSON.stringify(unit)).toBeLessThan(3_000);
    }
  });
});

test.each([
  ["lock file", claudeDiscovery.read],
  ["file of a JetBrains IDE", jetBrainsDiscovery.read],
])("a %s that is all brackets is refused before it is parsed", (_, parse) => {
  const parsed = vi.spyOn(JSON, "parse");
  try {
    expect(parse(`[${"[],".repeat(300_000)}[]]`)).toMatchObject({ ok: false });
    expect(parsed).not.toHaveBeenCalled();
  } finally {
    parsed.mockRestore();
  }
});
