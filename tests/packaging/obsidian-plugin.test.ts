import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { verifies } from "../src/verifies.ts";
import { root } from "./packages.ts";

const folder = join(root, "packages/obsidian-plugin");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const manifest = JSON.parse(read("manifest.json")) as Readonly<Record<string, unknown>>;

describe("main.js", () => {
  const bundle = read("dist/main.js");

  test("it requires only modules of Obsidian and Node", () => {
    const given =
      /^(obsidian|electron|@codemirror\/(autocomplete|collab|commands|language|lint|search|state|view)|@lezer\/(common|highlight|lr))$/;
    const allowed = new Set(builtinModules);
    const required = [...bundle.matchAll(/\brequire\((["'`])(.*?)\1\)/g)].map(
      ([, , name = ""]) => name,
    );
    expect(required).toContain("obsidian");
    const unlisted = required.filter((name) => !given.test(name));
    expect(unlisted.filter((name) => !allowed.has(name.replace(/^node:/, "")))).toEqual([]);
  });

  test("it has no import that is invisible to Obsidian's loader", () => {
    expect(bundle).not.toMatch(/\bimport\s*\(|^\s*import\s/m);
    expect([...bundle.matchAll(/\brequire\((?!["'`])/g)].map(([call]) => call)).toEqual([]);
  });

  test("ws is the one for servers, not the stub for browsers", () => {
    expect(bundle).not.toContain("ws does not work in the browser");
    expect(bundle).toContain("Sec-WebSocket-Accept");
  });

  test("it starts processes in two places, the terminal and git, and evaluates no text", () => {
    expect(bundle.match(/child_process/g)).toHaveLength(1);
    const [, module = ""] = /([\w$]+)=require\(["'`]node:child_process["'`]\)/.exec(bundle) ?? [];
    const uses = bundle.matchAll(/(?<![\w$.])([\w$]+)\.(spawn|exec|fork)(\w*)/g);
    const starts = [...uses].filter(([, of]) => of === module);
    expect(starts.map(([, , start, rest]) => `${start}${rest}`).sort()).toEqual([
      "execFile",
      "spawn",
    ]);
    expect(bundle).not.toMatch(/\beval\(|new Function\(/);
  });

  test("it contains nothing for several instances of a server", () => {
    expect(bundle).not.toContain("PEXPIRE");
  });
});

describe("the manifest", () => {
  test("it meets the requirements of the directory", () => {
    expect(manifest).toEqual({
      id: expect.stringMatching(/^(?!.*(?:obsidian|plugin$))[a-z-]+$/),
      name: expect.stringMatching(/^(?!.*(?:obsidian|plugin))[\w ]+$/i),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      minAppVersion: "1.8.7",
      description: expect.stringMatching(/^[A-Z][ -~]{20,248}\.$/),
      author: expect.any(String),
      isDesktopOnly: true,
    });
    expect(manifest["description"]).not.toMatch(/obsidian|plugin/i);
  });

  test("its version is the package's, and is in versions.json", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(manifest["version"]).toBe(version);
    const versions = JSON.parse(read("versions.json")) as Record<string, string>;
    expect(versions[version]).toBe(manifest["minAppVersion"]);
  });

  verifies("plugin:8:copies", "it is the same at the root, and so is versions.json", () => {
    for (const name of ["manifest.json", "versions.json"]) {
      expect(readFileSync(join(root, name), "utf8")).toBe(read(name));
    }
  });
});

test("the build contains the files that Obsidian installs, and no others", () => {
  expect(readdirSync(join(folder, "dist")).sort()).toEqual([
    "main.js",
    "manifest.json",
    "styles.css",
  ]);
  expect(read("dist/manifest.json")).toBe(read("manifest.json"));
});

test("the root's build leaves the released files where the directory compares them", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["build"]).toBe("turbo run build && node scripts/release-files.mjs");
});

describe("the README", () => {
  const readme = read("README.md");

  verifies(
    "plugin:8:pictures",
    "its pictures are those that the tests make, in light and dark",
    () => {
      const pictures = new Set(
        [...readme.matchAll(/images\/([\w-]+)-(?:light|dark)\.png/g)].map(([, name = ""]) => name),
      );
      for (const name of ["review-unified", "settings", "status-menu", "last-shared"]) {
        expect(pictures).toContain(name);
      }
      const tests = join(root, "tests/plugin");
      const scenarios = readdirSync(tests).map((name) => readFileSync(join(tests, name), "utf8"));
      for (const name of pictures) {
        expect(
          scenarios.some((text) => text.includes(`screenshot("${name}")`)),
          name,
        ).toBe(true);
        for (const theme of ["light", "dark"]) {
          const bytes = readFileSync(join(folder, `images/${name}-${theme}.png`));
          expect(bytes.subarray(1, 4).toString()).toBe("PNG");
        }
      }
      const kept = readdirSync(join(folder, "images"));
      expect(kept.filter((name) => !readme.includes(`images/${name}`))).toEqual([]);
    },
  );

  test("the bundle takes at most 1.25 times the sizes that it records", () => {
    const bundle = readFileSync(join(folder, "dist/main.js"));
    const [, raw, packed] =
      /(\d+) kB minified, (\d+) kB as a compressed download/.exec(readme) ?? [];
    expect(bundle.length / 1000).toBeLessThan(Number(raw) * 1.25);
    expect(gzipSync(bundle).length / 1000).toBeLessThan(Number(packed) * 1.25);
  });

  verifies(
    "plugin:8:install",
    "the command that it names puts the built plugin into a vault, and reports the fault of another folder",
    () => {
      const { name } = JSON.parse(read("package.json")) as { name: string };
      const [, filter = ""] = /--filter (\S+) dev-install/.exec(readme) ?? [];
      // pnpm accepts a name without its scope if it is unique.
      expect(name).toBe(`@idewire/${filter}`);
      const vault = temporaryFolder("idewire vault ");
      const script = join(folder, "scripts/dev-install.mjs");
      const install = (path: string, cwd: string) =>
        spawnSync(process.execPath, [script, path], {
          env: { ...process.env, INIT_CWD: cwd },
          encoding: "utf8",
        });
      expect(install(vault, "/")).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("has no folder .obsidian"),
      });
      mkdirSync(join(vault, ".obsidian"));
      expect(install(basename(vault), dirname(vault))).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("turn on Idewire"),
      });
      const installed = join(vault, ".obsidian/plugins/idewire");
      expect(readdirSync(installed).sort()).toEqual(["main.js", "manifest.json", "styles.css"]);
      expect(readFileSync(join(installed, "main.js"), "utf8")).toBe(read("dist/main.js"));
    },
  );
});
