import { expect, test } from "vitest";
import { formatHar, parseHar } from "./har.ts";
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

test("the frames come back from a HAR file, with their times and directions", () => {
  expect(parseHar(harOf(trace))).toEqual({ ok: true, value: trace });
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
