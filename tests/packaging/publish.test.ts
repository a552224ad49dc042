import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packages, root } from "./packages.ts";

const execute = promisify(execFile);

describe.each(packages)("$name, packed", ({ folder }) => {
  let temporary: string;
  let tarball: string;
  let files: readonly string[];

  beforeAll(async () => {
    temporary = await mkdtemp(join(tmpdir(), "idewire-pack-"));
    const { stdout } = await execute(
      "npm",
      ["pack", "--json", "--ignore-scripts", "--pack-destination", temporary],
      { cwd: folder, shell: process.platform === "win32" },
    );
    const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    tarball = join(temporary, packed.filename);
    files = packed.files.map(({ path }) => path);
  });
  afterAll(() => rm(temporary, { recursive: true, force: true }));

  test("publint has nothing to say", async () => {
    const bytes = await readFile(tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(bytes).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("every entry's types resolve", async () => {
    const attw = join(root, "tests/node_modules/@arethetypeswrong/cli/dist/index.js");
    await execute(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-color"]);
  });

  test("it holds its licence and its sources, and no tests", () => {
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "package.json", "src/index.ts"]));
    expect(files.filter((path) => /\.test(-d)?\.ts$|tsconfig|rollup|\.turbo/.test(path))).toEqual(
      [],
    );
  });
});
