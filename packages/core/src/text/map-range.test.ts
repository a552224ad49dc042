import { expect, test } from "vitest";
import { mapRange } from "./map-range.ts";
import { TextLines } from "./text-lines.ts";

const before = "one\ntwo\nthree\nfour\nfive\n";

/** The text without its markers `[` and `]`, and the range between them. */
function marked(text: string) {
  const from = text.indexOf("[");
  const to = text.indexOf("]") - 1;
  const plain = text.replace(/[[\]]/g, "");
  return { plain, range: new TextLines(plain).rangeOf(from, to) };
}

test.each([
  ["a line is inserted above", "one\n[two]\n", "zero\none\n[two]\n"],
  ["a line that begins alike is inserted above", "[two]\n", "twice\n[two]\n"],
  ["a line is inserted at its start", "one\n[two\n]three\n", "one\nnew\n[two\n]three\n"],
  ["a line is inserted at its end", "one\n[two\n]three\n", "one\n[two\n]new\nthree\n"],
  ["a line is inserted in it", "one\n[two\nthree]\n", "one\n[two\nnew\nthree]\n"],
  ["a line above is deleted", "one\ntwo\n[three]\n", "two\n[three]\n"],
  ["words are inserted before it in its line", "a [word] b", "an old [word] b"],
  ["words are inserted after it in its line", "a [word] b", "a [word] or b"],
  ["words are inserted right before it", "a [word] b", "a new [word] b"],
  ["a part of it is replaced", "one\n[two three]\n", "one\n[two 3 three]\n"],
  ["lines change above and below at once", "a\nb\n[c]\nd\ne\n", "A\nx\nb\n[c]\nD\ne\nf\n"],
  ["every line is indented but its own", "if\n[one]\ntwo\nend\n", "  if\n[one]\n  two\n  end\n"],
  ["its line is moved", "one\n[two]\nthree\nfour\n", "one\nthree\nfour\n[two]\n"],
  ["line ends are CRLF", "one\r\n[two]\r\n", "zero\r\none\r\n[two]\r\n"],
  ["line ends become LF", "a\r\n[b\r\nc]\r\n", "a\n[b\nc]\n"],
  ["line ends become CRLF", "a\nb\n[c\n]d\n", "a\r\nb\r\n[c\r\n]d\r\n"],
  ["blanks at the end of every line are removed", "a  \n[b]  \nc  \n", "a\n[b]\nc\n"],
  ["a formatter changes every line", "if(a){\n[b()]\n}\nc()\n", "if (a) {\n  [b()];\n}\nc();\n"],
  ["words in its line change on both sides", "let [x] = 1;\n", "const [x] = 2;\n"],
  ["text is appended at the end", "one\n[two]", "one\n[two]\nthree"],
  ["its line, the last one, is repeated", "one\n[two]", "one\ntwo\n[two]"],
  ["its line, a repeated one, becomes the last", "one\ntwo\n[two]", "one\n[two]"],
  ["nothing changes", "one\n[two]\n", "one\n[two]\n"],
  ["nothing changes, and its line has no end", "one\n[two]", "one\n[two]"],
])("a range still covers its text when %s", (_, old, now) => {
  const { plain, range } = marked(old);
  const expected = marked(now);
  expect(mapRange(range, plain, expected.plain)).toEqual(expected.range);
});

test("deleted text leaves an empty range in its place", () => {
  const { plain, range } = marked("one\n[two\n]three\n");
  const at = { line: 1, character: 0 };
  expect(mapRange(range, plain, "one\nthree\n")).toEqual({ start: at, end: at });
  expect(mapRange(range, plain, "")).toEqual({
    start: { line: 0, character: 0 },
    end: { line: 0, character: 0 },
  });
});

test("a cursor remains a cursor on its line", () => {
  const at = { line: 2, character: 3 };
  const now = { line: 3, character: 3 };
  expect(mapRange({ start: at, end: at }, before, `zero\n${before}`)).toEqual({
    start: now,
    end: now,
  });
});

test("mapping a range of equal lines takes linear time", () => {
  const text = "same\n".repeat(200_000);
  const range = { start: { line: 100_000, character: 0 }, end: { line: 100_001, character: 0 } };
  const start = process.cpuUsage();
  mapRange(range, text, `first\n${text.replaceAll("e", "es")}`);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
});

test("in a completely replaced text a range is clipped to the new length", () => {
  const { plain, range } = marked("o[ne\ntwo]");
  const expected = marked("O[NE]");
  expect(mapRange(range, plain, expected.plain)).toEqual(expected.range);
});

test.each([
  ["a[b]c", "😀c"],
  ["[ab]", "😀"],
  ["a😀[😁]", "a😁"],
  ["a😀[b]c", "a🨀c"],
])("a range of replaced text does not end within a character: %s, %s", (old, now) => {
  const { plain, range } = marked(old);
  expect(new TextLines(now).slice(mapRange(range, plain, now))).not.toMatch(/\p{Surrogate}/u);
  const before = { start: { line: 0, character: 0 }, end: mapRange(range, plain, now).start };
  expect(new TextLines(now).slice(before)).not.toMatch(/\p{Surrogate}/u);
});

test("a range in a completely replaced text of megabytes takes seconds at most", () => {
  const lines = (name: string) => Array.from({ length: 100_000 }, (_, at) => `${name}${at}();`);
  const line = 50_000;
  const range = { start: { line, character: 0 }, end: { line: line + 1, character: 2 } };
  const start = process.cpuUsage();
  mapRange(range, lines("a").join("\n"), lines("b").join("\n"));
  mapRange(
    { ...range, start: { line: 0, character: 9 } },
    lines("a").join(""),
    lines("b").join(""),
  );
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(20_000);
});
