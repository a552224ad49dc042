import type { TFile } from "obsidian";
import { expect, test } from "vitest";
import { UnsavedTexts } from "./unsaved-texts.ts";

const file = { path: "Note.md" } as TFile;

/** A vault whose disk operations end on demand. */
function open(onDisk: string) {
  let finish = (_: string) => {};
  const reading = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const unsaved = new UnsavedTexts({ read: () => reading }, () => undefined);
  return { unsaved, endReading: () => finish(onDisk) };
}

test("a note is unsaved from the first key press until its text is on disk", async () => {
  const { unsaved, endReading } = open("old new");
  unsaved.edited(file.path);
  expect(unsaved.has(file.path)).toBe(true);
  endReading();
  await unsaved.written(file, () => "old new");
  expect(unsaved.has(file.path)).toBe(false);
});

test("text typed while the note is being saved is unsaved", async () => {
  const { unsaved } = open("");
  unsaved.edited(file.path);
  await unsaved.save(file, async () => unsaved.edited(file.path));
  expect(unsaved.has(file.path)).toBe(true);
  await unsaved.save(file, async () => undefined);
  expect(unsaved.has(file.path)).toBe(false);
});

test("a note that could not be saved is unsaved", async () => {
  const { unsaved } = open("");
  unsaved.edited(file.path);
  const refused = unsaved.save(file, () => Promise.reject(new Error("EROFS")));
  await expect(refused).rejects.toThrow("EROFS");
  expect(unsaved.has(file.path)).toBe(true);
});

test("text typed while the disk is read is unsaved", async () => {
  const { unsaved, endReading } = open("saved");
  unsaved.edited(file.path);
  let shown = "saved";
  const written = unsaved.written(file, () => shown);
  shown = "saved and more";
  endReading();
  await written;
  expect(unsaved.has(file.path)).toBe(true);
});
