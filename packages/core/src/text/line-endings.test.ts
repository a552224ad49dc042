import { expect, test } from "vitest";
import { joinText, layOut, nameEndings, withEnding } from "./line-endings.ts";

const chunks = ["a", "é\u0301", "\uFEFF", "\n", "\r\n", "\r", "😀", "\ud83d"];

/** Every text of up to five chunks. */
function* texts(length = 5, start = ""): Generator<string> {
  yield start;
  if (length > 0) for (const chunk of chunks) yield* texts(length - 1, start + chunk);
}

test("a text that was split is restored to the byte", () => {
  const broken = [...texts()].filter((text) => joinText(layOut(text)) !== text);
  expect(broken).toEqual([]);
});

test("no line contains a line break, and there is always a line", () => {
  const broken = [...texts()].filter((text) => {
    const { lines } = layOut(text);
    return lines.length === 0 || lines.some((line) => /[\r\n]/.test(line));
  });
  expect(broken).toEqual([]);
});

test.each([
  ["a", undefined],
  ["a\nb", "LF"],
  ["a\r\nb\r\n", "CRLF"],
  ["a\rb", "CR"],
  ["a\r\nb\nc\r\n", "mixed"],
])("%j ends its lines %s", (text, name) => {
  expect(nameEndings(layOut(text))).toBe(name);
});

test("new lines end like most lines; a tie uses a line feed", () => {
  expect(layOut("a\r\nb\r\nc\n").ending).toBe("\r\n");
  expect(layOut("a\r\nb\n").ending).toBe("\n");
});

test("with one ending only the breaks change", () => {
  expect(joinText(withEnding(layOut("\uFEFFa\r\nb\nc\r"), "\r\n"))).toBe("\uFEFFa\r\nb\r\nc\r\n");
  expect(joinText(withEnding(layOut("a"), "\r\n"))).toBe("a");
});
