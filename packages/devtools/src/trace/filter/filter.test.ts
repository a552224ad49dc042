import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { FrameIndex } from "../rows/frame-index.ts";
import { completeFilter } from "./complete.ts";
import type { FilterRegex } from "./expression.ts";
import { parseFilter } from "./filter.ts";
import { FilteredFrames } from "./filtered-frames.ts";
import { findMatches } from "./find-matches.ts";

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
  const filter = parseFilter(source, { regex: true });
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
  ["status:open", [6]],
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
  ["n:1 OR n:7", [1, 7]],
  ["dir:out kind:result OR n:6", [2, 6]],
  ["dir:out (kind:result OR kind:error)", [2, 5]],
  ["NOT dir:out", [1, 3, 6, 7]],
  ["NOT (dir:out OR method:*)", [7]],
  ["-(dir:out OR method:*)", [7]],
  ["NOT NOT n:3", [3]],
  ["((n:3))", [3]],
  ["dir:in AND n:3", [3]],
  ["n:2..4", [2, 3, 4]],
  ["n:6..", [6, 7]],
  ["n:..2,7", [1, 2, 7]],
  ["time:10..20ms", [3, 4]],
  ["time:0.9s..1s", [5, 6, 7]],
  ["time:>0.9s", [6, 7]],
  ["code:-32700..-32600", [5]],
  ["/tools\\/[cl]/", [3, 6]],
  ["/CAFÉ, PLEASE/i", [4]],
  ["NOT /method/", [2, 5, 7]],
  ["(/^garbage$/ OR n:1)", [1, 7]],
  ["/[/]call/", [3]],
  ['"OR"', [5]],
  ['"tools/"', [3, 5, 6]],
])("%s", (source, expected) => {
  expect(found(source)).toEqual(expected);
});

test.each([
  ["colour:red", 'unknown key "colour"; one of dir, kind, method'],
  ["dir:up", 'dir: must be one of out, in, ide, agent; got "up"; for example dir:out'],
  ["duration:>soon", "duration: must be a number with one of ms, s, min"],
  ["method:>5", "method: is text"],
  ["method:", "a value is missing, such as method:"],
  ['say "hello', "unclosed quote at column 5"],
])("%s is refused with what would be right", (source, issue) => {
  expect(parseFilter(source)).toMatchObject({ ok: false, issue: expect.stringContaining(issue) });
});

test.each([
  ["a  colour:red b", "unknown key", "colour:red"],
  ["a OR", "OR needs a term on both sides", ""],
  ["OR a", "OR needs a term on both sides", ""],
  ["a NOT", "NOT needs a term after it", ""],
  ["AND a", "AND needs a term on both sides", ""],
  ["a (n:1", 'unclosed "("', "("],
  ["a n:1) b", '")" without a "(" before it', ")"],
  ["a ()", "a group needs a term", "()"],
  ["n:1 or n:2", "write OR, or quote it", "or"],
  ["n:1 || n:2", "write OR, or quote it", "||"],
  ["n:1 && n:2", "write a space, or quote it", "&&"],
  ["a - b", "write NOT, or quote it", "-"],
  ["a duration>500", "write duration:>500, or quote", "duration>500"],
  ["kind=request", "write kind:request, or quote", "kind=request"],
  ["n:20..15", "a range must begin with the lower number; got 20..15", "n:20..15"],
  ["n:..", "a range needs a number before or after its ..", "n:.."],
  ["n:1..2..3", "a range is two numbers with .. between", "n:1..2..3"],
  ["n:>1..2", "a range is two numbers with .. between", "n:>1..2"],
  ["n:a..2", "must be a number", "n:a..2"],
  ["method:/tools/", "a /regex/ stands alone", "method:/tools/"],
  ["a /work", 'unclosed "/" at column 3; close it, or quote text that contains "/"', "/"],
  ["/some/path", 'after /regex/ only i, m, s or u, each once; got "path"', "path"],
  ["a /(/", "Invalid regular expression", "/(/"],
])("%s is refused at its place", (source, issue, place) => {
  const result = parseFilter(source, { regex: true });
  if (result.ok) throw new Error("it is accepted");
  expect(result.issue).toContain(issue);
  expect(source.slice(result.place.from, result.place.to)).toBe(place);
});

test("a regular expression is refused where it could not be interrupted", () => {
  expect(parseFilter("n:1 /a/")).toMatchObject({
    ...{ ok: false, place: { from: 4, to: 7 } },
    issue: expect.stringContaining("cannot be used here"),
  });
});

test("a search has the same result in a worker, as text sent by message", () => {
  const search = runInNewContext(`(${findMatches})`) as typeof findMatches;
  const frames = raws.map(([, , raw], at) => ({ n: at + 1, raw }));
  for (const source of ["/tools\\/[cl]/", "/CAFÉ, PLEASE/i", "/nowhere/"]) {
    const filter = parseFilter(source, { regex: true });
    const [regex] = filter.ok ? filter.value.regexes : [];
    if (regex === undefined) throw new Error("no expression");
    expect(regex.source).toBe(source);
    expect([...search(structuredClone({ ...regex, frames }))]).toEqual(found(source));
  }
});

test("with matches from a worker, only frames that it has searched can pass", () => {
  const filter = parseFilter("dir:in NOT /tools/ OR code:-32601", { regex: true });
  if (!filter.ok) throw new Error(filter.issue);
  const matches = { seen: 0, has: (_: FilterRegex, n: number) => [3, 6].includes(n) };
  const rows = new FilteredFrames({
    ...{ index, filter: filter.value, matches },
    raw: () => {
      throw new Error("searched here");
    },
  });
  const seen = [0, 1, 6, 7].map((n) => {
    matches.seen = n;
    return [rows.update(), rows.rows.map((facts) => facts.n)];
  });
  expect(seen).toEqual([
    [false, []],
    [false, [1]],
    [false, [1, 5]],
    [true, [1, 5, 7]],
  ]);
});

test("the nesting of groups is limited, so that the stack does not overflow", () => {
  const nested = (depth: number) => parseFilter(`${"(".repeat(depth)}n:1${")".repeat(depth)}`);
  expect(nested(50)).toMatchObject({ ok: true });
  expect(nested(100_000)).toMatchObject({ ok: false, issue: "at most 50 groups may be nested" });
});

test("completion offers keys, then their possible values and those in the trace", () => {
  const texts = (source: string): string[] =>
    completeFilter(source, source.length, index.frames).map(({ text }) => text);
  expect(texts("me")).toEqual(["method:"]);
  expect(texts("dir:out -k")).toEqual(["kind:"]);
  expect(texts("status:op")).toEqual(["open"]);
  expect(texts("method:tools/")).toEqual(["tools/call", "tools/list"]);
  expect(texts("kind:request,not")).toEqual(["notification"]);
  expect(texts("zzz:")).toEqual([]);
  expect(texts("dir:out o")).toEqual(["OR"]);
  expect(texts("dir:out n")).toEqual(["n:", "NOT"]);
  expect(texts("o")).toEqual([]);
  expect(texts("(me")).toEqual(["method:"]);
  expect(texts("NOT (dir:out OR -(st")).toEqual(["status:"]);
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

test("an id beyond 2^53 is found by its digits alone", () => {
  const frames = new FrameIndex();
  for (const [at, id] of ["9007199254740992", "9007199254740993"].entries()) {
    const raw = `{"id":${id},"method":"ping"}`;
    frames.add({ n: at + 1, t: at, ev: "frame", ch: "c1", dir: "agent>ide", raw });
  }
  const filter = parseFilter("id:9007199254740993");
  if (!filter.ok) throw new Error(filter.issue);
  const matching = frames.frames.filter((facts) => filter.value.matches({ facts, raw: () => "" }));
  expect(matching.map(({ n }) => n)).toEqual([2]);
});
