import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "./comment-store.ts";
import { createMemoryWorkspace } from "./memory-workspace.ts";

const reader = createSourceReader(readGrammarFile);

/** A source, and comments of another program, which stores only the texts of lines. */
function openOther(lines: readonly string[], texts: readonly string[]): CommentStore {
  const created = "2026-01-01T00:00:00Z";
  const comments = texts.map((_, at) => ({ id: `c_${at}`, text: "why?", author: "ann", created }));
  const ghostMarkers = texts.map((lineText, at) => {
    const ids = { id: `gm_${at}`, commentId: `c_${at}` };
    return { ...ids, line: at + 1, originalLine: at + 1, lineText, isOrphaned: false };
  });
  const document = { version: "3.0.0", filePath: "a.txt", comments, ghostMarkers };
  const files = { "a.txt": lines.join("\n"), "a.txt.comments": JSON.stringify(document) };
  return new CommentStore({ workspace: createMemoryWorkspace(files), reader });
}

test("a comment with only the text of its line is on the only line with it; of several the first three are listed", async () => {
  const lines = ["new", "  moved", "twice", "x", "twice ", "twice", "twice"];
  const { comments } = await openOther(lines, ["moved", "twice", "gone"]).file("a.txt");
  const places = comments.map(({ comment, place }) => [comment.id, place.status, place.line]);
  expect(places).toContainEqual(["c_0", "moved", 2]);
  expect(places).toContainEqual(["c_2", "orphaned", 3]);
  const twice = comments.find(({ comment }) => comment.id === "c_1")?.place;
  expect(twice).toMatchObject({ status: "orphaned", line: 2 });
  expect(twice?.candidates.map(({ line }) => line)).toEqual([3, 5, 6]);
});

test("the time for comments that have lost their lines grows with lines and comments alone", async () => {
  const lines = Array.from({ length: 40_000 }, (_, at) => `    the line number ${at} of a text`);
  const texts = Array.from({ length: 8_000 }, (_, at) => `what was on line ${at} before`);
  const store = openOther(lines, texts);
  const before = process.cpuUsage();
  const { comments } = await store.file("a.txt");
  const { user, system } = process.cpuUsage(before);
  expect(comments.every(({ place }) => place.status === "orphaned")).toBe(true);
  // Takes milliseconds; searching all lines for each comment takes half a minute.
  expect((user + system) / 1_000).toBeLessThan(8_000);
});
