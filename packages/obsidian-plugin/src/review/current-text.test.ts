import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSameText, readCurrentText } from "./current-text.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idewire-current-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const pathOf = (name: string) => `${folder}/${name}` as PosixPath;

async function read(bytes: string | Uint8Array, shown?: string) {
  await writeFile(pathOf("note.md"), bytes);
  return readCurrentText(pathOf("note.md"), () => shown);
}

test("the text on disk is read to the byte, with byte order mark and line endings", async () => {
  const text = "\uFEFFa\r\nb\nc";
  expect(await read(text)).toEqual({ kind: "text", text });
  expect(await read(text, "a\nb\nc")).toEqual({ kind: "text", text });
});

test("unsaved text comes first, with the line endings of the file", async () => {
  expect(await read("\uFEFFa\r\nb\r\n", "a\nB\n")).toEqual({
    kind: "text",
    text: "\uFEFFa\r\nB\r\n",
    saved: "\uFEFFa\r\nb\r\n",
  });
});

test("a binary file and a folder cannot be read as text, and what is missing is missing", async () => {
  expect(await read(new Uint8Array([0x89, 0x50, 0, 1]))).toEqual({ kind: "unreadable" });
  expect(await read(new Uint8Array([0xff, 0xfe, 0x41]))).toEqual({ kind: "unreadable" });
  await mkdir(pathOf("sub"));
  const none = () => undefined;
  expect(await readCurrentText(pathOf("sub"), none)).toEqual({ kind: "unreadable" });
  expect(await readCurrentText(pathOf("new/a.md"), none)).toEqual({ kind: "missing" });
  await writeFile(pathOf("file"), "");
  expect(await readCurrentText(pathOf("file/a.md"), none)).toEqual({ kind: "missing" });
});

test("texts are compared by what the person sees, saved or not", () => {
  expect(isSameText({ kind: "text", text: "a" }, { kind: "text", text: "a", saved: "b" })).toBe(
    true,
  );
  expect(isSameText({ kind: "missing" }, { kind: "text", text: "" })).toBe(false);
});
