import { claudeCode, type PosixPath } from "@idewire/core";
import { expect, test } from "vitest";
import { SharedLog } from "./last-shared.ts";

const path = "/vault/a.md" as PosixPath;
const audience = { platform: "posix", variant: "claude" } as const;

function frameOf(message: { readonly method: string; readonly params?: unknown } | undefined) {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}

test("a selection is kept to the letter, with the lines as people count them", () => {
  const range = {
    start: { line: 1, character: 0 },
    end: { line: 2, character: 3 },
    text: "ä\n<b>",
  };
  const snapshot = { path, ranges: [range], primary: 0 };
  const frame = frameOf(claudeCode.encodeSelection(snapshot, audience));
  expect(new SharedLog().add("Claude Code", frame, 5)).toEqual({
    timeMs: 5,
    agent: "Claude Code",
    kind: "selection",
    path,
    text: "ä\n<b>",
    lines: { start: 2, end: 3 },
    frame,
  });
});

test("a mention, an open note, and that nothing is shared are told apart", () => {
  const log = new SharedLog();
  const add = (message: Parameters<typeof frameOf>[0]) => log.add("x", frameOf(message), 0).kind;
  expect(add(claudeCode.encodeSelection(undefined, audience))).toBe("cleared");
  expect(add(claudeCode.encodeSelection({ path, primary: 0 }, audience))).toBe("selection");
  const mention = { path, lines: { start: 0, end: 0 } };
  expect(add(claudeCode.encodeMention(mention, audience))).toBe("mention");
  expect(log.entries[0]?.lines).toEqual({ start: 1, end: 1 });
  expect(add({ method: "tools/call", params: { name: "getDiagnostics" } })).toBe("call");
  expect(log.last?.kind).toBe("mention");
  expect(add({ method: "something/else" })).toBe("other");
});

test("no more than fifty are kept, newest first", () => {
  const log = new SharedLog();
  for (let n = 0; n < 60; n += 1) log.add("x", frameOf({ method: "m" }), n);
  expect([log.entries.length, log.entries[0]?.timeMs]).toEqual([50, 59]);
});
