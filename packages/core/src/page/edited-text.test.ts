import { expect, test } from "vitest";
import { EditedText } from "./edited-text.ts";

const BREAK = /\r\n?|\n/;

/** An editor's model of a text: its lines. */
function editorOf(text: string) {
  const lines = text.replace(/^\uFEFF/, "").split(BREAK);
  return { lines, edited: new EditedText(text, () => lines) };
}

test.each([
  ["line feeds", "a\nb\n"],
  ["carriage returns with line feeds", "a\r\nb\r\n"],
  ["carriage returns", "a\rb\rc"],
  ["mixed line ends", "a\nb\r\nc\rd\n"],
  ["a byte order mark", "\uFEFFa\r\nb\r\n"],
  ["no last line end", "a\nb"],
  ["nothing", ""],
])("a text with %s is exact, before and after an edit", (_, text) => {
  const { lines, edited } = editorOf(text);
  expect(edited.text).toBe(text);
  lines.splice(0, 0, "new");
  lines.splice(0, 1);
  expect(edited.text).toBe(text);
});

test("lines that stay end as before; new ones end like most", () => {
  const { lines, edited } = editorOf("a\nb\r\nc\rd\r\n");
  lines.splice(2, 1, "C", "", "more");
  expect(edited.text).toBe("a\nb\r\nC\r\n\r\nmore\r\nd\r\n");
  const range = { start: { line: 0, character: 1 }, end: { line: 2, character: 1 } };
  expect(edited.textIn(range)).toBe("\nb\r\nC");
  const word = { start: { line: 4, character: 1 }, end: { line: 4, character: 3 } };
  expect(edited.textIn(word)).toBe("or");
});

test("an empty line after a carriage return is not swallowed by a line feed", () => {
  const { lines, edited } = editorOf("a\nb\nc\rd");
  lines.splice(3, 0, "");
  expect(edited.text.split(BREAK)).toEqual(["a", "b", "c", "", "d"]);
});

test.each([
  ["a\nb\nc\n", "a\nB\nc\n"],
  ["a\nb\n", "a\nnew\nb\n"],
  ["a\nb\nc", "a\nc"],
  ["a\nb", "b"],
  ["a\nb", "a"],
  ["", "a\n"],
  ["a\r\nb\r\n", "a\r\nb\r\nc\r\n"],
  ["a\na\na", "a\na"],
])("the change from %j to %j shows that text and replaces few lines", (before, after) => {
  const { lines, edited } = editorOf(before);
  const { range, text } = edited.changeTo(after);
  const first = lines[range.start.line]?.slice(0, range.start.character) ?? "";
  const last = lines[range.end.line]?.slice(range.end.character) ?? "";
  const removed = range.end.line - range.start.line + 1;
  lines.splice(range.start.line, removed, ...`${first}${text}${last}`.split("\n"));
  expect(lines).toEqual(after.split(BREAK));
  expect(removed).toBeLessThanOrEqual(2);
});
