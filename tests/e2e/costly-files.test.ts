import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageNamed } from "../packaging/packages.ts";
import { bundleProgram } from "../src/bundled-program.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

test("a file full of faults costs no more than the faults that are stored", async () => {
  const entry = packageNamed("cli").entries.find(({ key }) => key === "./folder-host");
  const program = join(temporaryFolder("idewire-costly-"), "worker.mjs");
  await bundleProgram(new URL("../src/costly-files-worker.ts", import.meta.url), program);
  const args = [program, entry?.built ?? ""];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { most, seconds, megabytes } = JSON.parse(stdout) as Record<string, number>;
  expect(most).toBe(100);
  expect(megabytes).toBeLessThan(300);
  expect(seconds).toBeLessThan(30);
});
