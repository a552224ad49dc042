import fc from "fast-check";
import { expect, test } from "vitest";
import { joinText, layOut, nameEndings, withEnding } from "./line-endings.ts";

// A fixed seed: every run tests the same texts.
fc.configureGlobal({ seed: 20_261_122 });

const chunks = fc.constantFrom(
  "a",
  "",
  "é\u0301",
  "\uFEFF",
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  "😀",
  "\ud83d",
);
export const anyText: fc.Arbitrary<string> = fc
  .array(chunks, { maxLength: 12 })
  .map((p) => p.join(""));

test("a text that was split is restored to the byte", () => {
  fc.assert(fc.property(anyText, (text) => void expect(joinText(layOut(text))).toBe(text)));
});

test("no line contains a line break, and there is always a line", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { lines } = layOut(text);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.some((line) => /[\r\n]/.test(line))).toBe(false);
    }),
  );
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
