import type { PosixPath } from "@idewire/core";
import type { SentFact } from "@idewire/core/internal";
import { expect, test } from "vitest";
import { SharedLog, selectedIn } from "./last-shared.ts";

const path = "/vault/a.md" as PosixPath;
const start = { line: 1, character: 0 };
const end = { line: 2, character: 3 };
const cleared: SentFact = { kind: "cleared" };

test("the primary range of a selection is kept exactly, with its lines", () => {
  const ranges = [
    { start, end: start, text: "" },
    { start, end, text: "ä\n<b>" },
  ];
  const selected = selectedIn({ kind: "selection", path, ranges, primary: 1 });
  expect(selected).toEqual({ text: "ä\n<b>", lines: { start: 1, end: 2 } });
  for (const fact of [
    { kind: "selection", path, ranges, primary: 0 },
    { kind: "selection", path, primary: 0 },
    { kind: "mention", path, lines: { start: 0, end: 0 } },
    cleared,
  ] satisfies SentFact[]) {
    expect(selectedIn(fact)).toBeUndefined();
  }
});

test("notifications have their frame, answers their text, with other parts by their type", () => {
  const log = new SharedLog();
  log.addSent("A", cleared, "{}");
  log.addAnswer("B", "getDiagnostics", {
    content: [
      { type: "text", text: "[]" },
      { type: "image", data: "", mimeType: "image/png" },
    ],
  });
  log.addAnswer("B", "failed", undefined);
  const timeMs = expect.any(Number);
  expect(log.entries).toEqual([
    { timeMs, agent: "B", tool: "failed", answer: undefined },
    { timeMs, agent: "B", tool: "getDiagnostics", answer: "[]\nimage" },
    { timeMs, agent: "A", fact: cleared, frame: "{}" },
  ]);
});

test("no more than fifty are kept, newest first", () => {
  const log = new SharedLog();
  for (let n = 0; n < 60; n += 1) log.addSent(`${n}`, cleared, "{}");
  expect(log.entries.map(({ agent }) => agent)).toEqual(
    Array.from({ length: 50 }, (_, at) => `${59 - at}`),
  );
});
