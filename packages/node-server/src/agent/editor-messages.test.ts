import { textResult } from "@idewire/core/internal";
import { expect, test } from "vitest";
import {
  parseMention,
  parseSelection,
  readClosedCount,
  readDiagnostics,
  readDiffAnswer,
} from "./editor-messages.ts";

const selection = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };

test("a selection with a null in it is void, and one without a path clears", () => {
  const whole = { selection, text: "a", filePath: "/a" };
  expect(parseSelection(whole)).toEqual({ selection: whole });
  expect(parseSelection({ selection, filePath: "/a" })).toMatchObject({ selection: { text: "" } });
  expect(parseSelection({ selection, text: "" })).toEqual({ selection: undefined });
  expect(parseSelection({ selection, text: "", filePath: "" })).toEqual({ selection: undefined });
  for (const broken of [
    { ...whole, text: null },
    { ...whole, filePath: null },
    { ...whole, selection: null },
    { ...whole, selection: { start: {}, end: {} } },
    { text: "a", filePath: "/a" },
    undefined,
  ]) {
    expect(parseSelection(broken)).toBeUndefined();
  }
});

test("a mention has lines only when it has both", () => {
  expect(parseMention({ filePath: "/a", lineStart: 1, lineEnd: 1 })).toEqual({
    filePath: "/a",
    lines: { start: 1, end: 1 },
  });
  expect(parseMention({ filePath: "/a", lineStart: 1 })).toEqual({ filePath: "/a" });
  expect(parseMention({ filePath: 1 })).toBeUndefined();
});

test("TAB_CLOSED accepts a proposal, FILE_SAVED wants the text, and a failure is thrown", () => {
  const diff = { newText: "new", tabName: "tab" };
  expect(readDiffAnswer(textResult("TAB_CLOSED"), diff)).toEqual({
    kind: "accepted",
    text: "new",
    edited: false,
  });
  expect(readDiffAnswer(textResult("FILE_SAVED", ""), diff)).toMatchObject({ edited: true });
  expect(readDiffAnswer(textResult("DIFF_REJECTED", "tab"), diff)).toEqual({ kind: "rejected" });
  expect(readDiffAnswer(textResult("DIFF_REJECTED", "Not now."), diff)).toEqual({
    kind: "rejected",
    comments: "Not now.",
  });
  for (const wrong of [textResult("FILE_SAVED"), textResult("?"), { content: [] }]) {
    expect(() => readDiffAnswer(wrong, diff)).toThrow("The editor answered openDiff with ");
  }
  expect(() => readDiffAnswer({ ...textResult("no room"), isError: true }, diff)).toThrow(
    expect.objectContaining({ name: "ToolFailure", message: "no room" }),
  );
});

test("diagnostics without a range are omitted, and anything but a list is refused", () => {
  const good = { message: "bad", severity: "ERROR", range: selection };
  const files = [
    { uri: "file:///a b", diagnostics: [good, { ...good, range: null }, 1] },
    { uri: "untitled:1", diagnostics: [good] },
    { uri: "file:///c" },
  ];
  expect(readDiagnostics(textResult(JSON.stringify(files)))).toEqual([
    { filePath: "/a b", diagnostics: [good] },
  ]);
  for (const wrong of ["", "{}", "null"]) {
    expect(() => readDiagnostics(textResult(wrong))).toThrow("no list");
  }
});

test("the number of closed diffs is returned if the editor returns it", () => {
  expect(readClosedCount(textResult("CLOSED_12_DIFF_TABS"))).toBe(12);
  expect(readClosedCount(textResult("OK"))).toBeUndefined();
});
