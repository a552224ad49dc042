import {
  linkSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stampOf } from "./stamp.ts";

const later = () => Date.now() + 60_000;

function open() {
  const folder = mkdtempSync(join(tmpdir(), "comments-stamp-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.ts");
  writeFileSync(path, "one();\n");
  writeFileSync(`${path}.comments`, "{}");
  return { folder, path };
}

/** Writes until the file system's clock has advanced. */
async function rewrite(path: string, text: string): Promise<void> {
  const { ctimeMs } = statSync(path);
  await expect
    .poll(() => {
      writeFileSync(path, text);
      return statSync(path).ctimeMs;
    })
    .not.toBe(ctimeMs);
}

test("a source, or its comments, saved with unchanged size and time has another stamp", async () => {
  const { path } = open();
  for (const file of [path, `${path}.comments`]) {
    const before = stampOf(path, later());
    const { atime, mtime, size } = statSync(file);
    await rewrite(file, "x".repeat(size));
    utimesSync(file, atime, mtime);
    expect(statSync(file)).toMatchObject({ size, mtime });
    expect(before).toHaveLength(10);
    expect(stampOf(path, later())).not.toEqual(before);
  }
});

test("another file of the same size and time that takes its name has another stamp", () => {
  const { folder, path } = open();
  const before = stampOf(path, later());
  const draft = join(folder, "draft");
  writeFileSync(draft, "two();\n");
  const { atime, mtime } = statSync(path);
  utimesSync(draft, atime, mtime);
  renameSync(draft, path);
  expect(before).toHaveLength(10);
  expect(stampOf(path, later())).not.toEqual(before);
});

test("a file that has just changed, is a link or is missing has no stamp", () => {
  const { folder, path } = open();
  expect(stampOf(path, statSync(`${path}.comments`).ctimeMs + 100)).toBeUndefined();
  symlinkSync(path, join(folder, "link.ts"));
  linkSync(`${path}.comments`, join(folder, "link.ts.comments"));
  expect(stampOf(join(folder, "link.ts"), later())).toBeUndefined();
  expect(stampOf(join(folder, "none.ts"), later())).toBeUndefined();
  rmSync(path);
  expect(stampOf(path, later())).toBeUndefined();
});

test("a source without comments has a stamp, which changes with the source and with its first comment", async () => {
  const { folder } = open();
  const path = join(folder, "b.ts");
  writeFileSync(path, "");
  const before = stampOf(path, later());
  await rewrite(path, "two();\n");
  const after = stampOf(path, later());
  writeFileSync(`${path}.comments`, "{}");
  expect(before).toHaveLength(5);
  expect(after).not.toEqual(before);
  expect(stampOf(path, later())).not.toEqual(after);
});
