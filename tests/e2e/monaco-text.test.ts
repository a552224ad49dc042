import { expect, test } from "vitest";
import { ExactText } from "../../examples/monaco/exact-text.ts";

const BREAK = /\r\n?|\n/;

/** What Monaco keeps of a text: its lines. */
function modelOf(text: string, bom = "\uFEFF") {
  const lines = (text.startsWith(bom) ? text.slice(1) : text).split(BREAK);
  let version = 1;
  const model = { getVersionId: () => version, getLinesContent: () => [...lines] };
  const splice = (...change: [at: number, removed: number, ...added: string[]]) => {
    lines.splice(...change);
    version += 1;
  };
  return { exact: new ExactText(model as never, text), splice };
}

test.each([
  ["line feeds", "a\nb\n"],
  ["carriage returns with line feeds", "a\r\nb\r\n"],
  ["carriage returns", "a\rb\rc"],
  ["mixed line ends", "a\nb\r\nc\rd\n"],
  ["a byte order mark", "\uFEFFa\r\nb\r\n"],
  ["no last line end", "a\nb"],
  ["nothing", ""],
])("the text of a model made of %s is exact, before and after an edit", (_, text) => {
  const { exact, splice } = modelOf(text);
  expect(exact.text).toBe(text);
  splice(0, 0, "new");
  splice(0, 1);
  expect(exact.text).toBe(text);
});

test("lines that stay end as before; new ones end like most", () => {
  const { exact, splice } = modelOf("a\nb\r\nc\rd\r\n");
  splice(2, 1, "C", "", "more");
  expect(exact.text).toBe("a\nb\r\nC\r\n\r\nmore\r\nd\r\n");
  const where = { startLineNumber: 1, startColumn: 2, endLineNumber: 3, endColumn: 2 };
  expect(exact.textIn(where)).toBe("\nb\r\nC");
});

test("an empty line after a carriage return is not swallowed by a line feed", () => {
  const { exact, splice } = modelOf("a\nb\nc\rd");
  splice(3, 0, "");
  expect(exact.text.split(BREAK)).toEqual(["a", "b", "c", "", "d"]);
});
