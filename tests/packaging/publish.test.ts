import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { type Packed, pack, packages } from "./packages.ts";

let temporary: string;
let packed: readonly Packed[];

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), "idewire-pack-"));
  packed = await pack(temporary);
});
afterAll(() => removeFolder(temporary));

describe.each(packages)("$name, packed", ({ name, folder, entries }) => {
  function emit(): { readonly files: readonly string[]; readonly tarball: Promise<Uint8Array> } {
    const found = packed.find((each) => each.name === name);
    if (found === undefined) throw new Error(`npm pack gave no ${name}`);
    const bytes = readFile(join(temporary, found.filename));
    return { files: found.files.map(({ path }) => path), tarball: bytes.then(copy) };
  }

  test("publint has nothing to say", async () => {
    const { buffer } = await emit().tarball;
    const { messages, pkg } = await publint({
      pack: { tarball: buffer as ArrayBuffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("the types of every entry resolve for an ES module import", async () => {
    const result = await checkPackage(createPackageFromTarballData(await emit().tarball));
    if (result.types === false) throw new Error(`${name} has no types`);
    const ours = result.problems.filter(
      (problem) =>
        !("resolutionKind" in problem) || /^(bundler|node16-esm)$/.test(problem.resolutionKind),
    );
    expect(ours).toEqual([]);
    expect(Object.keys(result.entrypoints)).toEqual(entries.map(({ key }) => key));
  });

  test("it holds its licence and its sources, and no tests", () => {
    const { files } = emit();
    const sources = entries.map(({ source }) => relative(folder, source).replaceAll("\\", "/"));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "package.json", ...sources]));
    expect(files.filter((path) => /\.test(-d)?\.ts$|tsconfig|rollup|\.turbo/.test(path))).toEqual(
      [],
    );
  });
});

/** In memory of its own, where a small file's is shared with others. */
function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
