import { expect, test } from "vitest";
import { completeFilter, FrameIndex, parseFilter, type TraceEvent } from "../index.ts";

const raws = [
  ["agent>ide", 0, '{"id":1,"method":"initialize"}'],
  ["ide>agent", 4, '{"id":1,"result":{}}'],
  ["agent>ide", 10, '{"id":2,"method":"tools/call","params":{"name":"openDiff"}}'],
  ["ide>agent", 20, '{"method":"selection_changed","params":{"text":"Café, please"}}'],
  ["ide>agent", 900, '{"id":2,"error":{"code":-32601,"message":"no"}}'],
  ["agent>ide", 950, '{"id":3,"method":"tools/list"}'],
  ["agent>ide", 960, "garbage"],
] as const;

const events = raws.map(
  ([dir, t, raw], at): TraceEvent => ({ n: at + 1, t, ev: "frame", ch: "c1", dir, raw }),
);
const index = new FrameIndex();
for (const event of events) index.add(event);

function found(source: string): number[] {
  const filter = parseFilter(source);
  if (!filter.ok) throw new Error(filter.issue);
  return index.frames
    .filter((facts) => {
      const raw = (): string => raws[facts.n - 1]?.[2] ?? "";
      return filter.value.matches({ facts, raw });
    })
    .map(({ n }) => n);
}

test.each([
  ["", [1, 2, 3, 4, 5, 6, 7]],
  ["dir:out", [2, 4, 5]],
  ["dir:agent", [1, 3, 6, 7]],
  ["method:tools/call", [3, 5]],
  ["method:tools/*", [3, 5, 6]],
  ["METHOD:Tools/Call status:error", [5]],
  ["tool:openDiff", [3, 5]],
  ["name:opendiff kind:request", [3]],
  ["duration:>500ms", [3, 5]],
  ["duration:<=0.004s", [1, 2]],
  ["status:waiting", [6]],
  ["code:-32601", [5]],
  ["kind:malformed,notification", [4, 7]],
  ["-dir:out -method:*", [7]],
  ["n:>=6", [6, 7]],
  ["t:<0.01s", [1, 2]],
  ["size:<10", [7]],
  ["café", [4]],
  ['"café, please"', [4]],
  ["id:2", [3, 5]],
  ["fault:any", []],
])("%s", (source, expected) => {
  expect(found(source)).toEqual(expected);
});

test.each([
  ["colour:red", 'unknown key "colour"; one of dir, kind, method'],
  ["dir:up", 'dir: must be one of out, in, ide, agent; got "up"; for example dir:out'],
  ["duration:>soon", "duration: must be a number with one of ms, s, min"],
  ["method:>5", "method: is text"],
  ["method:", '"method:" needs a value'],
  ['say "hello', "the quote at column 5 has no end"],
])("%s is refused with what would be right", (source, issue) => {
  expect(parseFilter(source)).toMatchObject({ ok: false, issue: expect.stringContaining(issue) });
});

test("completion offers keys, then values that are possible or were seen", () => {
  const texts = (source: string): string[] =>
    completeFilter(source, source.length, index.frames).map(({ text }) => text);
  expect(texts("me")).toEqual(["method:"]);
  expect(texts("dir:out -k")).toEqual(["kind:"]);
  expect(texts("status:w")).toEqual(["waiting"]);
  expect(texts("method:tools/")).toEqual(["tools/call", "tools/list"]);
  expect(texts("kind:request,not")).toEqual(["notification"]);
  expect(texts("zzz:")).toEqual([]);
});

test("a completed filter is valid", () => {
  const source = "dir:in -st";
  const [completion] = completeFilter(source, source.length, index.frames);
  const done = source.slice(0, completion?.from) + completion?.text;
  expect(done).toBe("dir:in -status:");
});

test("problem: matches by layer, and matches nothing in frames that were not checked", () => {
  const [facts] = index.frames;
  if (facts === undefined) throw new Error("no frame");
  const subject = { facts, raw: () => "", problems: () => ["mcp", "state"] as const };
  const matches = (source: string): boolean => {
    const filter = parseFilter(source);
    return filter.ok && filter.value.matches(subject);
  };
  expect(["any", "mcp", "state", "rpc"].map((value) => matches(`problem:${value}`))).toEqual([
    ...[true, true, true, false],
  ]);
  const filter = parseFilter("problem:any");
  expect(filter.ok && filter.value.matches({ facts, raw: () => "" })).toBe(false);
});
