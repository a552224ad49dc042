import { describe, expect, test } from "vitest";
import { countAddedHidden, describeAddedHidden } from "./added-hidden.ts";
import { findHidden, showHidden, showHiddenInLine } from "./hidden-characters.ts";

const found = (text: string) => [...findHidden(text)].map(({ codePoint }) => codePoint);
const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
const every = (pattern: RegExp) => all.filter((character) => pattern.test(character));

describe("characters that a reader would not see are shown escaped", () => {
  test.each([
    ["all that Unicode has displays ignore", /\p{Default_Ignorable_Code_Point}/u],
    ["directional controls", /\p{Bidi_Control}/u],
    ["controls but tab and line feed", /(?![\t\n])\p{Cc}/u],
    ["format characters", /\p{Cf}/u],
    ["halves of surrogate pairs", /\p{Cs}/u],
    ["spaces other than U+0020", /(?! )\p{Z}/u],
    ["noncharacters", /\p{Noncharacter_Code_Point}/u],
    ["fillers and blanks", /[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\u{16fe4}]/u],
  ])("%s, between two letters, in front, at the end and beside itself", (_, pattern) => {
    const characters = every(pattern);
    expect(characters.length).toBeGreaterThan(0);
    const isShown = (character: string) =>
      [`a${character}b`, `${character}b`].every((text) => {
        const [code, ...others] = found(text);
        return code === character.codePointAt(0) && others.length === 0;
      }) &&
      // Two adjacent surrogates may form a pair.
      (/\p{Cs}/u.test(character) || found(`1${character.repeat(3)}`).length === 3) &&
      /^a[^\p{C}\p{Z}]+b$/u.test(showHidden(`a${character}b`));
    const hidden = characters.filter((character) => !isShown(character));
    expect(hidden.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test("as pictures of controls, and as numbers", () => {
    expect(showHidden("\x1b[31m\x7f\x9b\r\u202e\u{e0041}\ud83d!")).toBe(
      "␛[31m␡\\u009b␍\\u202e\\u{e0041}\\ud83d!",
    );
  });

  test("tabs and line ends as well, within a line", () => {
    expect(showHidden("a\tb\r\nc\n")).toBe("a\tb\r\nc\n");
    expect(showHiddenInLine("a\tb\r\nc\rd\n")).toBe("a␉b␍␊c␍d␊");
  });

  test.each([
    ["selectors behind a letter", "a\ufe0fb\u{e0100}"],
    ["bytes behind a picture, as selectors", "🙂\ufe0f\u{e0150}\u{e0121}\ufe0e"],
    ["letters behind a black flag that spell no flag in use", "🏴\u{e0068}\u{e0069}\u{e007f}"],
    [
      "tags that go on behind a flag",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0041}",
    ],
    ["a selector on a digit that is not a keycap", "1\ufe0f+1"],
    ["joiners between plain letters", "pass\u200dword\u200c!"],
    ["a joiner between a picture and a letter", "👩\u200da"],
    ["a second joiner", "می\u200c\u200cخواهم"],
    ["a Mongolian selector elsewhere", "a\u180bb"],
    ["an ideographic space in code", "if (x)\u3000{"],
    ["a zero width space in a word of spaced letters", "ad\u200bmin"],
  ])("%s", (_, text) => {
    expect(found(text).length).toBeGreaterThan(0);
  });
});

describe("characters that a script or an emoji needs are left unchanged", () => {
  test.each([
    ["plain text", "tab\tline\r\nline\n~ é 漢字 Ω 한글"],
    ["emoji and their selectors", "🙂 ❤️ ☎︎ ©️ 👍🏽 🇩🇪 1️⃣ #️⃣ *️⃣"],
    ["emoji that are joined", "👩‍💻 👩🏽‍🚀 🏳️‍🌈 🏴‍☠️ ❤️‍🔥 👨‍👩‍👧‍👦 🐈‍⬛ 🙋🏽‍♂️ 👁️‍🗨️ 🧑🏻‍❤️‍💋‍🧑🏿"],
    ["flags of regions", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
    ["Persian", "می‌خواهم ه‍.ش."],
    ["Hindi, Marathi, Bengali", "क्‌ष क्‍ष र्‍य र‍্য"],
    ["Malayalam and Sinhala", "അവന്‍ ශ්‍රී"],
    ["Khmer and Thai, which write no spaces", "ភាសា\u200bខ្មែរ ภาษา\u200bไทย"],
    ["Mongolian", "ᠮᠣᠩᠭᠣᠯ\u180b ᠠ\u180eᠠ ᠤ\u202fᠤ"],
    ["variants of ideographs", "葛\u{e0100}城 辻\u{e0101} 逸\ufe00"],
    ["variants of signs", "∩\ufe00 。\ufe01 “\ufe00"],
    ["Japanese that indents", "\u3000吾輩は猫である。\n\u3000名前\u3000はまだ無い。"],
    ["Arabic signs with a glyph", "\u0600١٢ \u06dd٣"],
  ])("%s", (_, text) => {
    expect(found(text)).toEqual([]);
    expect(showHidden(text)).toBe(text);
  });

  test("every emoji of one picture, with its selector, with every tone, and every keycap", () => {
    // The compiler's target does not support the flag yet; Node does.
    const [source, flag] = ["^\\p{RGI_Emoji}$", "v"];
    const emoji = new RegExp(source, flag);
    const tones = ["", "\ufe0f", ..."🏻🏼🏽🏾🏿"];
    const listed = every(/\p{Emoji}/u)
      .flatMap((one) => [...tones, "\ufe0f\u20e3"].map((tone) => one + tone))
      .flatMap((one) => ["", "‍♂️", "‍♀️", "‍🦰", "‍💻", "‍❤️‍👨", "‍👦", "‍➡️"].map((more) => one + more))
      .filter((sequence) => emoji.test(sequence));
    expect(listed.length).toBeGreaterThan(2_000);
    expect(listed.filter((sequence) => found(sequence).length > 0)).toEqual([]);
  });
});

describe("a review names the hidden characters that a diff adds", () => {
  test("with their numbers, the most frequent first; unchanged, moved and removed ones do not count", () => {
    const before = "\ufeffone\u200btwo\u00a0three\n";
    const after = "\ufeffone\u202etwo\u202e\u200bthree\u200b\x1b\n";
    expect(describeAddedHidden(countAddedHidden(before, after))).toBe(
      "This proposal adds 4 hidden characters: U+202E right-to-left override (2), U+001B escape, U+200B zero width space",
    );
    expect(describeAddedHidden(countAddedHidden(after, before))).toBe(
      "This proposal adds a hidden character: U+00A0 no-break space",
    );
    expect(countAddedHidden(before, before)).toEqual([]);
    expect(describeAddedHidden([])).toBeUndefined();
  });

  test("of many kinds only the first are named", () => {
    const text = every(/[\u{e0020}-\u{e007f}]/u).join("");
    expect(describeAddedHidden(countAddedHidden("", text))).toMatch(
      /^This proposal adds 96 hidden characters: U\+E0020 tag character(, U\+E002\d tag character){5}, 90 other kinds$/,
    );
  });
});

describe("eight million units take about a second, whatever they are", () => {
  const SIZE = 8 * 2 ** 20;
  test.each([
    ["plain", "plain text\n"],
    ["Chinese", "人人生而自由。\n"],
    ["emoji that are joined", "👩🏽‍🚀"],
    ["hidden throughout", "\u200b"],
    ["joiners throughout", "\u200d"],
    ["flags that are never finished", "🏴\u{e0067}\u{e0062}"],
    ["halves of pairs", "\ud83d"],
    ["line ends", "\r\n"],
    ["joiners between letters", "a\u200d"],
  ])("%s", (_, piece) => {
    const text = piece.repeat(SIZE / piece.length);
    const start = process.cpuUsage();
    let last = 0;
    for (const { end } of findHidden(text)) last = end;
    expect(last).toBeLessThanOrEqual(text.length);
    const { user } = process.cpuUsage(start);
    expect(user / 1_000).toBeLessThan(5_000);
  });
});
