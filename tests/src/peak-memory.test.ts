import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleProgram } from "./bundled-program.ts";
import { temporaryFolder } from "./temporary-folder.ts";

test("the peak of a process does not count the memory of its parent", async () => {
  const folder = temporaryFolder("idewire-peak-");
  const bundle = join(folder, "peak-memory.mjs");
  await bundleProgram(new URL("peak-memory.ts", import.meta.url), bundle);
  const program = join(folder, "program.mjs");
  const from = JSON.stringify(pathToFileURL(bundle));
  writeFileSync(program, `import { peakBytes } from ${from};\nconsole.log(peakBytes());`);
  const large = Buffer.alloc(200 * 2 ** 20, 1);
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(Number(stdout)).toBeLessThan(large.length);
});
