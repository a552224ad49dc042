import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { type CurrentText, isSameText, newestText, readFileTexts } from "./current-text.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idewire-current-"));
});

afterAll(() => removeFolder(folder));

const pathOf = (name: string) => `${folder}/${name}` as PosixPath;

async function read(bytes: string | Uint8Array, shown?: string) {
  await writeFile(pathOf("note.md"), bytes);
  return readFileTexts(pathOf("note.md"), () => shown);
}

const text = (value: string) => ({ kind: "text", text: value }) as const;
const both = (value: CurrentText) => ({ saved: value, shown: value });

test("the text on disk is read to the byte, with byte order mark and line endings", async () => {
  const bytes = "\uFEFFa\r\nb\nc";
  expect(await read(bytes)).toEqual(both(text(bytes)));
  expect(await read(bytes, "a\nb\nc")).toEqual(both(text(bytes)));
});

test("the text of an editor has the line endings of the file", async () => {
  expect(await read("\uFEFFa\r\nb\r\n", "a\nB\n")).toEqual({
    shown: text("\uFEFFa\r\nB\r\n"),
    saved: text("\uFEFFa\r\nb\r\n"),
  });
});

test("a file that is not UTF-8 is text, and its lost bytes are counted", async () => {
  const latin1 = new Uint8Array(Buffer.from("caf\xe9 cr\xe8me\n", "latin1"));
  expect(await read(latin1)).toEqual(both({ ...text("caf\uFFFD cr\uFFFDme\n"), lostBytes: 2 }));
  const utf16 = new Uint8Array(Buffer.from("\uFEFFa\n", "utf16le"));
  expect(await read(utf16)).toEqual(both({ ...text("\uFEFFa\n"), lostBytes: 0 }));
});

test("a binary file and a folder are unreadable, and an absent file is missing", async () => {
  expect(await read(new Uint8Array([0x89, 0x50, 0, 1]))).toEqual(both({ kind: "unreadable" }));
  expect(await read(new Uint8Array([0xff, 0xfe, 0x41]))).toEqual(both({ kind: "unreadable" }));
  await mkdir(pathOf("sub"));
  const none = () => undefined;
  expect(await readFileTexts(pathOf("sub"), none)).toEqual(both({ kind: "unreadable" }));
  expect(await readFileTexts(pathOf("new/a.md"), none)).toEqual(both({ kind: "missing" }));
  await writeFile(pathOf("file"), "");
  expect(await readFileTexts(pathOf("file/a.md"), none)).toEqual(both({ kind: "missing" }));
});

test("a missing file is not the same as an empty one", () => {
  expect(isSameText({ kind: "missing" }, text(""))).toBe(false);
});

const old = both(text("a\nb\nc\n"));
const saved = text("A\nb\nc\n");
const shown = text("a\nb\nC\n");
test.each([
  ["nothing changed", old, old, text("compared")],
  ["the file was written and its tab still shows the old text", old, { ...old, saved }, saved],
  ["the person typed", old, { ...old, shown }, shown],
  ["both changed", old, { saved, shown }, text("A\nb\nC\n")],
  [
    "both changed the same words",
    old,
    { saved, shown: text("X\nb\nc\n") },
    { ...text("X\nb\nc\n"), overlaps: 1 },
  ],
  ["the tab was reloaded", { ...old, saved }, both(saved), saved],
  ["the person typed, then saved", { ...old, shown }, both(shown), shown],
  ["the file was deleted", old, { ...old, saved: { kind: "missing" } }, { kind: "missing" }],
] as const)("what a proposal is compared with when %s", (_, before, now, expected) => {
  expect(newestText(before, now, text("compared"))).toEqual(expected);
});
