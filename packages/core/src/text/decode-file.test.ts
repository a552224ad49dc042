import { expect, test } from "vitest";
import { decodeFile } from "./decode-file.ts";

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
const bigEndian = (text: string) => new Uint8Array(Buffer.from(utf16(text)).swap16());
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

test.each([
  ["UTF-8", bytes("é\n"), "é\n"],
  ["UTF-8 with a mark", bytes("\uFEFFé\r\n"), "\uFEFFé\r\n"],
  ["UTF-8 with U+FFFD of its own", bytes("a\uFFFDb\uFFFD"), "a\uFFFDb\uFFFD"],
  ["UTF-16LE", utf16("é😀\n"), "\uFEFFé😀\n"],
  ["UTF-16LE with U+FFFD of its own", utf16("a\uFFFD"), "\uFEFFa\uFFFD"],
  ["UTF-16BE", bigEndian("é😀\n"), "\uFEFFé😀\n"],
  ["nothing", bytes(), ""],
] as const)("a file of %s is decoded to the byte", (_, file, text) => {
  expect(decodeFile(file)).toMatchObject({ text, lostBytes: 0 });
});

test.each([
  ["Latin-1", bytes("caf", [0xe9], " cr", [0xe8], "me\n"), "caf\uFFFD cr\uFFFDme\n", 2],
  ["Shift JIS", bytes([0x93, 0xfa, 0x96, 0x7b], "\n"), "\uFFFD\uFFFD\uFFFD{\n", 3],
  ["a cut character", bytes("a", [0xe2, 0x82]), "a\uFFFD", 2],
  ["an overlong form", bytes([0xc0, 0xaf]), "\uFFFD\uFFFD", 2],
  ["invalid bytes beside a U+FFFD of its own", bytes("\uFFFD", [0xff]), "\uFFFD\uFFFD", 1],
] as const)("the bytes of %s that encoding would not restore are counted", (...row) => {
  const [, file, text, lostBytes] = row;
  expect(decodeFile(file)).toMatchObject({ text, lostBytes, isUtf8: false });
});

test.each([
  ["a picture", [0x89, 0x50, 0, 1]],
  ["UTF-16 without a mark", [0x61, 0, 0x62, 0]],
  ["UTF-16LE that ends in a character", [0xff, 0xfe, 0x61, 0, 0x62]],
  ["UTF-16BE with half a pair", [0xfe, 0xff, 0xd8, 0x3d, 0, 0x61]],
])("%s is not text", (_, file) => {
  expect(decodeFile(new Uint8Array(file))).toBeUndefined();
});
