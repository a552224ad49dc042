import { expect, test } from "vitest";
import { formatHar, parseHar } from "./har.ts";
import type { TraceEvent } from "./trace-event.ts";
import type { Trace } from "./trace-file.ts";

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';
const trace: Trace = {
  header: { created: "2026-11-22T10:00:00.000Z" },
  events: [
    { n: 1, t: 0, ev: "open", ch: "c1" },
    { n: 2, t: 0, ev: "frame", ch: "c1", dir: "agent>ide", raw: initialize },
    { n: 3, t: 250, ev: "frame", ch: "c1", dir: "ide>agent", raw: "{}" },
  ],
};

function harOf(of: Trace): string {
  return [...formatHar(of)].join("");
}

test("frames are restored from a HAR file, with their times and directions", () => {
  expect(parseHar(harOf(trace))).toEqual({ ok: true, value: trace });
  expect(parseHar(`\uFEFF${harOf(trace)}`)).toEqual({ ok: true, value: trace });
});

test("the names of recorded MCP servers are restored from a HAR file", () => {
  const header = { ...trace.header, server: 'every"thing' };
  expect(parseHar(harOf({ ...trace, header }))).toMatchObject({ ok: true, value: { header } });
});

test("each connection has an entry, in chunks as small as one frame", () => {
  const frame = { t: 300, ev: "frame", ch: "c2", dir: "ide>agent" } as const;
  const events = [
    ...trace.events,
    { ...frame, n: 4, raw: "AP8B", form: "binary" },
    { ...frame, n: 5, raw: "{}", lost: true },
    { n: 6, t: 400, ev: "close", ch: "c2", code: 1000, reason: "" },
  ] as const;
  const chunks = [...formatHar({ ...trace, events })];
  expect(Math.max(...chunks.map((chunk) => chunk.split('"opcode"').length))).toBe(2);
  const { entries } = JSON.parse(chunks.join("")).log;
  expect(entries).toMatchObject([
    { comment: "c1", time: 250, _webSocketMessages: [{ data: initialize }, { data: "{}" }] },
    {
      comment: "c2",
      startedDateTime: "2026-11-22T10:00:00.000Z",
      _webSocketMessages: [{ type: "receive", opcode: 2, data: "AP8B" }],
    },
  ]);
});

test("each HTTP exchange has an entry with its body, headers and times, and the frames come back without it", () => {
  const http = { ev: "http", ch: "c1", exchange: 1 } as const;
  const url = "https://example.com/mcp?key=a%20b&flag#x";
  const events: readonly TraceEvent[] = [
    ...trace.events,
    {
      ...{ ...http, n: 4, t: 10, part: "request", method: "POST", url },
      headers: [["content-type", "application/json"]],
      carries: [{ method: "initialize", id: 0 }],
    },
    { ...http, n: 5, t: 30, part: "response", status: 200, headers: [["x-a", "b"]] },
    { ...http, n: 6, t: 70, part: "end", bytes: 12 },
    { ...http, n: 7, t: 80, exchange: 2, part: "request", method: "POST", url, text: "a=b" },
    { ...http, n: 8, t: 90, exchange: 2, part: "end", bytes: 0, problem: "refused" },
  ];
  const har = harOf({ ...trace, events });
  expect(JSON.parse(har).log.entries.slice(1)).toMatchObject([
    {
      startedDateTime: "2026-11-22T10:00:00.010Z",
      time: 60,
      request: {
        ...{ method: "POST", url },
        headers: [{ name: "content-type", value: "application/json" }],
        queryString: [
          { name: "key", value: "a b" },
          { name: "flag", value: "" },
        ],
        postData: { mimeType: "application/json", text: initialize },
      },
      response: { status: 200, bodySize: 12, headers: [{ name: "x-a", value: "b" }] },
      timings: { wait: 20, receive: 40 },
    },
    { request: { postData: { text: "a=b" } }, response: { status: 0, _error: "refused" } },
  ]);
  expect(parseHar(har)).toEqual({ ok: true, value: trace });
});

test("a trace without a frame is a HAR file without an entry", () => {
  expect(JSON.parse(harOf({ header: {}, events: [] }))).toMatchObject({ log: { entries: [] } });
});

test("the directions of a capture on the editor's side are reversed, as initialize shows", () => {
  const har = JSON.parse(harOf(trace));
  for (const message of har.log.entries[0]._webSocketMessages) {
    message.type = message.type === "send" ? "receive" : "send";
  }
  const read = parseHar(JSON.stringify(har));
  expect(read.ok && read.value.events[1]).toMatchObject({ dir: "agent>ide", raw: initialize });
});

test.each([
  ["{", "not JSON"],
  ["{}", "expected a HAR file"],
  [
    '{"log":{"entries":[{},null,{"_webSocketMessages":[{"type":"send"}]}]}}',
    "no WebSocket messages",
  ],
])("%s is refused", (text, issue) => {
  expect(parseHar(text)).toMatchObject({ ok: false, issue: expect.stringContaining(issue) });
});
