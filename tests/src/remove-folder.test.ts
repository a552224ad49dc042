import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeFolder } from "./remove-folder.ts";

/** Writes files for 300 ms from its first line on, while the folder exists. */
const WRITER = `
const { writeFileSync } = require("node:fs");
const write = (i) => writeFileSync(process.argv[1] + "/" + i, "x");
for (let i = 0; i < 200; i++) write(i);
console.log("writing");
const end = Date.now() + 300;
try {
  for (let i = 200; Date.now() < end; i++) write(i);
} catch {}
`;

test("a folder is removed although a process is still writing to it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "idewire-written-"));
  const writer = spawn(process.execPath, ["-e", WRITER, folder]);
  const exited = once(writer, "exit");
  await once(writer.stdout, "data");
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  await exited;
});

test("a missing folder is ignored", async () => {
  await expect(removeFolder(join(tmpdir(), "idewire-was-never-there"))).resolves.toBeUndefined();
});
