import { expect, test } from "vitest";
import { formatHar, parseHar, type Trace } from "../index.ts";

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize"}';
const trace: Trace = {
  header: { created: "2026-11-22T10:00:00.000Z" },
  events: [
    { n: 1, t: 0, ev: "open", ch: "c1" },
    { n: 2, t: 0, ev: "frame", ch: "c1", dir: "agent>ide", raw: initialize },
    { n: 3, t: 250, ev: "frame", ch: "c1", dir: "ide>agent", raw: "{}" },
  ],
};

test("the frames come back from a HAR file, with their times and directions", () => {
  expect(parseHar(formatHar(trace))).toEqual({ ok: true, value: trace });
});

test("a capture made on the editor's side is turned around by who says initialize", () => {
  const har = JSON.parse(formatHar(trace));
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
