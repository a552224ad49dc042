import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { rollup } from "rollup";
import { describe, expect, test } from "vitest";
import { createLicences } from "../../scripts/licences.mjs";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { root } from "./packages.ts";

interface Shipped {
  readonly what: string;
  /** The folder of the package, in `packages`. */
  readonly name: string;
  readonly entries: readonly string[];
  /** The file with the licence texts. */
  readonly file: string;
  readonly external?: readonly string[];
}

const page = {
  name: "web-playground",
  entries: ["src/main.tsx", "src/share/redaction-worker.ts"],
  external: ["virtual:*", "fs/promises", "module"],
};

const parser = "src/comments/parser-worker.ts";

/** The modules of CodeMirror that Obsidian provides. */
const given = [
  ...["autocomplete", "collab", "commands", "language", "lint", "search", "state", "view"].map(
    (name) => `@codemirror/${name}`,
  ),
  ...["common", "highlight", "lr"].map((name) => `@lezer/${name}`),
];

const bundles: readonly Shipped[] = [
  {
    what: "the Obsidian plugin",
    ...{ name: "obsidian-plugin", entries: ["src/main.ts"], file: "obsidian-plugin/dist/main.js" },
    external: ["obsidian", "electron", ...given, ...builtinModules],
  },
  {
    what: "the playground",
    ...page,
    entries: [...page.entries, parser],
    file: "web-playground/dist/licences.txt",
  },
  { what: "the playground in one file", ...page, file: "web-playground/dist/playground.html" },
  {
    what: "the page in the command",
    ...page,
    entries: [...page.entries, parser],
    file: "cli/dist/web/licences.txt",
  },
];

/** The packages in a bundle, determined with another bundler than the one that ships them. */
async function packagesIn({ name, entries, external = [] }: Shipped): Promise<readonly string[]> {
  const folder = join(root, "packages", name);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [...entries],
    bundle: true,
    format: "esm",
    platform: name === "obsidian-plugin" ? "node" : "browser",
    mainFields: ["module", "main"],
    conditions: name === "obsidian-plugin" ? [] : ["@idewire/source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: [...external, "node:*"],
    metafile: true,
    write: false,
    outdir: "unused",
    logLevel: "silent",
  });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  );
  return [...new Set(files.flatMap((path) => packageOf(realpathSync(join(folder, path)))))].sort();
}

/** Name and version of the package in node_modules that has a file. */
function packageOf(path: string): readonly string[] {
  const [, folder] =
    /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll("\\", "/")) ?? [];
  if (folder === undefined) return [];
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return [`${name} ${version}`];
}

test.each(bundles)(
  "$what has the licences of the packages in it, and no others",
  async (shipped) => {
    const text = readFileSync(join(root, "packages", shipped.file), "utf8");
    const titles = [...text.matchAll(/^(\S+ \d+\.\d+\.\d+\S*) \((.+)\)\n\n(.+)/gm)];
    expect(titles.map(([, title]) => title).sort()).toEqual(await packagesIn(shipped));
    for (const [, title, kind] of titles) {
      expect(kind, title).toMatch(/^(0BSD|Apache-2\.0|BSD-[23]-Clause|ISC|MIT)$/);
    }
    expect(text.match(/copyright|license/gi)?.length).toBeGreaterThanOrEqual(titles.length);
  },
);

describe("a bundle is built only if the licence of each package in it", () => {
  /** Bundles a package with these members in its manifest, and returns the licences. */
  async function bundle(manifest: object, files: Readonly<Record<string, string>> = {}) {
    const folder = join(temporaryFolder("idewire-licences-"), "node_modules/other");
    mkdirSync(folder, { recursive: true });
    const written = {
      ...files,
      "index.js": "export const answer = 42;",
      "package.json": JSON.stringify({ name: "other", version: "1.2.3", ...manifest }),
    };
    for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
    const licences = createLicences();
    const built = await rollup({ input: join(folder, "index.js"), plugins: [licences.plugin] });
    await built.generate({});
    return licences.text();
  }

  test("requires no more than its text", async () => {
    const file = { LICENSE: "Permission to use is granted." };
    expect(await bundle({ license: "ISC" }, file)).toContain("Permission to use is granted.");
    for (const license of ["GPL-3.0-only", "UNLICENSED", "SSPL-1.0", undefined]) {
      await expect(bundle({ license }, file), license).rejects.toThrow(/licen[sc]e/i);
    }
  });

  test("has a text: of MIT without a file, the common one with the author's name", async () => {
    const text = await bundle({ license: "MIT", author: "Ann" });
    expect(text).toMatch(/^other 1\.2\.3 \(MIT\)\n\nMIT License\n\nCopyright \(c\) Ann\n/m);
    await expect(bundle({ license: "MIT" })).rejects.toThrow("has no licence text");
    await expect(bundle({ license: "ISC", author: "Ann" })).rejects.toThrow("has no licence text");
  });
});
