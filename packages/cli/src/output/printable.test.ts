import { expect, test } from "vitest";
import { createPalette } from "./palette.ts";
import { join, line, shorten, showChunks, visible } from "./printable.ts";

test("control characters become pictures of themselves", () => {
  expect(visible("\x1b[31mred\x1b[0m\x07\b\r\n\t\x7f")).toBe("␛[31mred␛[0m␇␈␍␊␉␡");
  expect(visible("\x9b31m\x85\x90")).toBe("\\u009b31m\\u0085\\u0090");
});

test("hidden and bidirectional characters become numbers", () => {
  expect(visible("a\u202eb\u2066c\u200bd\ufeffe\u2028f\u00adg")).toBe(
    "a\\u202eb\\u2066c\\u200bd\\ufeffe\\u2028f\\u00adg",
  );
  expect(visible("half \ud83d pair")).toBe("half \\ud83d pair");
  expect(visible("\u{e0041}")).toBe("\\u{e0041}");
});

test("joiners stay where a script needs them, and are shown where they only hide", () => {
  expect(visible("👩\u200d💻 می\u200cخواهم")).toBe("👩\u200d💻 می\u200cخواهم");
  expect(visible("pass\u200dword")).toBe("pass\\u200dword");
});

test("ordinary text of any language is unchanged", () => {
  const text = "Übersicht — 日本語 🙂 żółć עברית";
  expect(visible(text)).toBe(text);
});

test("values of a line are made visible, its own colours are not", () => {
  const { bad } = createPalette(true);
  expect(line`${bad("\x1b[2J")} and ${"\x1b]0;title\x07"}`.text).toBe(
    "\x1b[31m␛[2J\x1b[39m and ␛]0;title␇",
  );
  expect(join([line`a`, "\x1b"], ", ").text).toBe("a, ␛");
});

test("a long name retains both its ends", () => {
  expect(shorten("abcdefghij", 10)).toBe("abcdefghij");
  expect(shorten("abcdefghijk", 10)).toBe("abcde…hijk");
  expect(visible(shorten("🙂".repeat(20), 10))).toBe("🙂🙂…🙂🙂");
});

test.each([
  ["a variation selector", "\ufe0f"],
  ["a Hangul filler", "\u3164"],
  ["a Braille blank", "\u2800"],
  ["a grapheme joiner", "\u034f"],
  ["a Khmer vowel without a form", "\u17b4"],
  ["a Mongolian selector", "\u180b"],
  ["a no-break space", "\u00a0"],
])("%s between letters is shown", (_, character) => {
  const hex = character.charCodeAt(0).toString(16).padStart(4, "0");
  expect(visible(`a${character}b`)).toBe(`a\\u${hex}b`);
});

test("a character's visibility is judged by its line, wherever the line is cut into pieces", () => {
  const shown = (...chunks: string[]) => showChunks(chunks).map(({ text }) => text);
  expect(shown("👩", "\u200d💻 a", "\u200db", "")).toEqual(["👩", "\u200d💻 a", "\\u200db", ""]);
  expect(shown("می\u200c", "خواهم")).toEqual(["می\u200c", "خواهم"]);
});
