import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { describe, expect, inject, test } from "vitest";
import { originOf } from "../../scripts/repository.mjs";
import { packages } from "./packages.ts";

const { packed, tarballs } = inject("packaging");

describe.each(packages)("$name, packed", ({ name, folder, entries }) => {
  function emit(): { readonly files: readonly string[]; readonly tarball: Promise<Uint8Array> } {
    const found = packed.find((each) => each.name === name);
    if (found === undefined) throw new Error(`npm pack gave no ${name}`);
    const bytes = readFile(join(tarballs, found.filename));
    return { files: found.files.map(({ path }) => path), tarball: bytes.then(copy) };
  }

  test("publint reports nothing", async () => {
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

  test("its manifest and its README link to the repository", async () => {
    const files = readTarball(await emit().tarball);
    const manifest = JSON.parse(files("package.json"));
    const directory = `packages/${basename(folder)}`;
    expect(manifest).toMatchObject(originOf(directory));
    expect(manifest.keywords.length).toBeGreaterThan(2);
    const links = [
      ...files("README.md").matchAll(
        /(?:\]\(|(?:src|srcset|href)=")([^)\s"]+)|^\[[^\]]+\]: (\S+)/gm,
      ),
    ].map(([, link, definition]) => link ?? definition);
    expect(links.filter((link) => !/^(https:\/\/|#)/.test(link ?? ""))).toEqual([]);
  });

  test("npm would publish it", async () => {
    const found = packed.find((each) => each.name === name);
    const tarball = join(tarballs, found?.filename ?? "");
    const flags = ["--dry-run", "--access", "public", "--json"];
    const { stdout } = await promisify(execFile)("npm", ["publish", tarball, ...flags], {
      cwd: tarballs,
      shell: process.platform === "win32",
    });
    expect(stdout).toContain(`"name": "${name}"`);
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

/** Reads files from npm's tarballs: names of less than 100 characters, below `package/`. */
function readTarball(bytes: Uint8Array): (path: string) => string {
  const tar = gunzipSync(bytes);
  return (path) => {
    for (let at = 0; at < tar.length; ) {
      const field = (from: number, length: number) =>
        tar.toString("utf8", at + from, at + from + length).replace(/\0.*$/s, "");
      const size = Number.parseInt(field(124, 12) || "0", 8);
      if (field(0, 100) === `package/${path}`)
        return tar.toString("utf8", at + 512, at + 512 + size);
      at += 512 + Math.ceil(size / 512) * 512;
    }
    throw new Error(`the tarball has no ${path}`);
  };
}

/** A copy with its own memory: small buffers share theirs. */
function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
