import { expect, test } from "vitest";
import type { TraceEvent } from "./trace-event.ts";
import { formatTrace, type Trace } from "./trace-file.ts";
import { parseTrace, type SkippedLine, TraceReader } from "./trace-reader.ts";

const range = { start: { line: 0, character: 1 }, end: { line: 2, character: 0 } };
const events: readonly TraceEvent[] = [
  { n: 1, t: 0, ev: "open", ch: "c1", protocol: "mcp" },
  { n: 2, t: 1.5, ev: "action", who: "person", text: "selects line 1" },
  { n: 3, t: 2, by: 2, ev: "frame", ch: "c1", dir: "ide>agent", raw: '{"a":"\u2028 ä 🦊"}' },
  { n: 4, t: 2, ev: "frame", ch: "c1", dir: "agent>ide", raw: "not json", fault: "garble" },
  { n: 5, t: 3, ev: "editor", change: { kind: "selected", path: "/vault/a.md", range } },
  { n: 6, t: 4, ev: "control", ch: "c1", dir: "ide>agent", op: "ping" },
  { n: 7, t: 5, ev: "lock", what: "removed", file: "1234.lock" },
  { n: 8, t: 6, ev: "close", ch: "c1", code: 1000, reason: "bye" },
];
const trace: Trace = { header: { created: "2026-11-22T00:00:00.000Z", ide: "idewire" }, events };

test("a trace is read back as it was written", () => {
  expect(parseTrace(formatTrace(trace))).toEqual({ ok: true, value: { ...trace, cut: false } });
});

test("every member of a frame has the name of the format", () => {
  const frame =
    '{"n":1,"t":0,"ev":"frame","ch":"c1","dir":"agent>ide","raw":"AP8B","form":"binary","cut":9,"pieces":2,"fault":"drop","lost":true}';
  const text = `{"idewire":"trace/1"}\n${frame}\n`;
  const read = parseTrace(text);
  expect(read.ok && read.value.events).toEqual([JSON.parse(frame)]);
});

test("each event is a line of its own, so that a recorder can append", () => {
  const lines = formatTrace(trace).split("\n");
  expect(lines).toHaveLength(events.length + 2);
  expect(lines.at(-1)).toBe("");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ idewire: "trace/1", clock: "ms" });
});

test("an incomplete last line is left out and reported", () => {
  const text = formatTrace(trace).slice(0, -10);
  const read = parseTrace(text);
  expect(read).toMatchObject({ ok: true, value: { cut: true } });
  expect(read.ok && read.value.events).toHaveLength(events.length - 1);
});

test("unknown members are left out, and prototypes are not touched", () => {
  const line =
    '{"n":1,"t":0,"ev":"open","ch":"c1","__proto__":{"x":1},"constructor":5,"later":true}';
  const read = parseTrace(`{"idewire":"trace/1"}\n${line}\n`);
  expect(read.ok && read.value.events).toEqual([{ n: 1, t: 0, ev: "open", ch: "c1" }]);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
});

const header = '{"idewire":"trace/1"}\n';
test.each([
  ["", "the file is empty; expected a trace as JSON Lines"],
  ['{"log":{}}\n', 'line 1: expected the header {"idewire":"trace/1", …}, saw {"log":{}}'],
  [`${header}nonsense\n{}`, 'line 2: not JSON: "nonsense"'],
  [`${header}[]\n`, "line 2: expected an event, saw []"],
  [`${header}{"n":1,"t":0,"ev":"toString"}\n`, 'saw "toString"'],
  [
    `${header}{"n":1,"t":0,"ev":"frame","ch":"c1","dir":"up","raw":""}\n`,
    'line 2: "dir" must be "agent>ide" or "ide>agent", saw "up"',
  ],
  [
    `${header}{"n":1,"t":-1,"ev":"open","ch":"c1"}\n`,
    '"t" must be a number of milliseconds since the start, saw -1',
  ],
  [
    `${header}{"n":2,"t":0,"ev":"open","ch":"a"}\n{"n":2,"t":0,"ev":"open","ch":"b"}\n`,
    'line 3: "n" must count upwards from 3, saw 2',
  ],
])("%j is refused with the line and what was expected", (text, issue) => {
  expect(parseTrace(text)).toMatchObject({ ok: false, issue: expect.stringContaining(issue) });
});

test("more events than allowed are refused", () => {
  const many = header + '{"t":0,"ev":"open","ch":"c"}\n'.repeat(11);
  expect(parseTrace(many, { maxEvents: 10 })).toMatchObject({
    issue: "line 12: more than 10 events; cut the file into parts",
  });
});

test("a line that is not an event is skipped, and reported with its number on request", () => {
  const skipped: SkippedLine[] = [];
  const reader = new TraceReader({ maxEvents: 10, onskip: (line) => skipped.push(line) });
  const open = '{"t":0,"ev":"open","ch":"c"}\n';
  const lines = `${header}${open}nonsense\n\n{"t":"x","ev":"open","ch":"c"}\n${open}{"t":1,"ev":"frame"}\n{"t"`;
  const read = reader.push(lines);
  expect(read.ok && read.value.map(({ n }) => n)).toEqual([1, 2]);
  expect(reader.end()).toMatchObject({ ok: true, value: { cut: true, events: [] } });
  expect(skipped).toEqual([
    { line: 3, issue: 'not JSON: "nonsense"' },
    { line: 5, issue: '"t" must be a number of milliseconds since the start, saw "x"' },
    { line: 7, issue: '"frame" needs "ch"' },
    { line: 8, issue: "the last line is incomplete" },
  ]);
  const headless = new TraceReader({ maxEvents: 10, onskip: (line) => skipped.push(line) });
  expect(headless.push("nonsense\n")).toMatchObject({ ok: false, issue: expect.any(String) });
});

test("an issue names the nested member, and its expected value", () => {
  const range = { start: { line: "1", character: 0 }, end: { line: 1, character: 0 } };
  const change = { kind: "selected", path: "a.md", range };
  const text = `${header}${JSON.stringify({ t: 0, ev: "editor", change })}\n`;
  expect(parseTrace(text)).toMatchObject({
    issue: 'line 2: "line" in "start" in "range" in "change" must be a number, saw "1"',
  });
});
