import { ProblemIndex } from "@idewire/devtools/trace";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../src/fuzz.ts";

fc.configureGlobal({ seed });

interface Frame {
  readonly raw: string;
  readonly dir: "agent>ide" | "ide>agent";
}

function problemsOf(frames: readonly Frame[]) {
  const index = new ProblemIndex();
  index.add({ n: 1, t: 0, ev: "open", ch: "c1" });
  return frames.map(({ raw, dir }, at) => {
    index.add({ n: at + 2, t: at, ev: "frame", ch: "c1", dir, raw });
    return index.of(at + 2);
  });
}

const word = fc.constantFrom(
  ...["initialize", "tools/call", "openDiff", "selection_changed", "notifications/initialized"],
  ...["at_mentioned", "getDiagnostics", "ping", "__proto__", "constructor", "\ud800"],
);
const anything = fc.anything({ key: fc.oneof(word, fc.string()), maxDepth: 4 });
const message = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant("2.0"), anything),
    id: fc.oneof(fc.integer({ min: 0, max: 3 }), anything),
    method: fc.oneof(word, anything),
    params: fc.oneof(fc.record({ name: word, arguments: anything }), anything),
    result: fc.oneof(fc.record({ content: anything, protocolVersion: anything }), anything),
    error: anything,
  },
  { requiredKeys: [] },
);
const frame = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.oneof(message, fc.array(message), anything).map((value) => {
    try {
      return JSON.stringify(value) ?? "undefined";
    } catch {
      return "{";
    }
  }),
);

test("no frame makes it throw, and each problem points into its frame", () => {
  const facts = fc.record({
    raw: frame,
    dir: fc.constantFrom("agent>ide" as const, "ide>agent" as const),
  });
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 8 }), (list) => {
      const found = problemsOf(list);
      for (const one of found.flat()) expect(one.pointer).toMatch(/^(\/|$)/);
    }),
    { numRuns: 600 },
  );
});

test("depth and size do not make it throw", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const nested = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`;
  const surrogate = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800","b":${"[".repeat(3000)}${"]".repeat(3000)}}}`;
  const long = `"${"x".repeat(3_000_000)}`;
  const frames = [deep, nested, surrogate, long].map((raw): Frame => ({ raw, dir: "agent>ide" }));
  const found = problemsOf(frames);
  expect(found.at(-1)?.[0]?.code).toBe("encoding.not-json");
});
