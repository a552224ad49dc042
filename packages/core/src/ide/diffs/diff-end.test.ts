import { expect, test } from "vitest";
import { describeDiffEnd } from "./diff-end.ts";

test("the description of a diff's end contains only known facts", () => {
  expect(describeDiffEnd("accepted", "terminal")).toBe("was accepted in the terminal");
  expect(describeDiffEnd("rejected", "page")).toBe("was rejected in the page");
  expect(describeDiffEnd("closed")).toBe("was closed");
  expect(describeDiffEnd("rejected", "constructor")).toBe("was rejected");
  const ends = ["answered-elsewhere", "session-gone", "asked", "editor-closed", undefined];
  const sent = ends.map((by) => describeDiffEnd("cancelled", by));
  expect(new Set(sent).size).toBe(ends.length);
  expect(sent.filter((words) => /agent/.test(words))).toHaveLength(3);
});
