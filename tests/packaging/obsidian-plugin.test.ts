import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "./packages.ts";

const folder = join(root, "packages/obsidian-plugin");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const manifest = JSON.parse(read("manifest.json")) as Readonly<Record<string, unknown>>;

describe("main.js", () => {
  const bundle = read("dist/main.js");

  test("it requires only what Obsidian gives, and Node", () => {
    const given =
      /^(obsidian|electron|@codemirror\/(autocomplete|collab|commands|language|lint|search|state|view)|@lezer\/(common|highlight|lr))$/;
    const allowed = new Set(builtinModules);
    const required = [...bundle.matchAll(/\brequire\((["'`])(.*?)\1\)/g)].map(
      ([, , name = ""]) => name,
    );
    expect(required).toContain("obsidian");
    const strange = required.filter((name) => !given.test(name));
    expect(strange.filter((name) => !allowed.has(name.replace(/^node:/, "")))).toEqual([]);
  });

  test("it has no import that Obsidian's loader would not see", () => {
    expect(bundle).not.toMatch(/\bimport\s*\(|^\s*import\s/m);
    expect([...bundle.matchAll(/\brequire\((?!["'`])/g)].map(([call]) => call)).toEqual([]);
  });

  test("ws is the one for servers, not the stub for browsers", () => {
    expect(bundle).not.toContain("ws does not work in the browser");
    expect(bundle).toContain("Sec-WebSocket-Accept");
  });

  test("of ws it has the server without compression, and no client", () => {
    expect(bundle).not.toMatch(/permessage-deflate|"(?:node:)?(?:zlib|tls|https)"|ws\+unix/);
  });

  test("it starts no process and evaluates no text", () => {
    expect(bundle).not.toMatch(/child_process|\beval\(|new Function\(/);
  });

  test("it fits in 285 kB", () => {
    expect(Buffer.byteLength(bundle) / 1000).toBeLessThanOrEqual(285);
  });
});

describe("the manifest", () => {
  test("it has what the directory asks for, in its words", () => {
    expect(manifest).toEqual({
      id: expect.stringMatching(/^(?!.*(?:obsidian|plugin$))[a-z-]+$/),
      name: expect.stringMatching(/^(?!.*(?:obsidian|plugin))[\w ]+$/i),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      minAppVersion: "1.13.0",
      description: expect.stringMatching(/^[A-Z][ -~]{20,248}\.$/),
      author: expect.any(String),
      isDesktopOnly: true,
    });
    expect(manifest["description"]).not.toMatch(/obsidian|plugin/i);
  });

  test("its version is the package's, and versions.json knows it", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(manifest["version"]).toBe(version);
    const versions = JSON.parse(read("versions.json")) as Record<string, string>;
    expect(versions[version]).toBe(manifest["minAppVersion"]);
  });

  test.each(["manifest.json", "versions.json"])("%s is the same at the root", (name) => {
    expect(readFileSync(join(root, name), "utf8")).toBe(read(name));
  });
});

test("what is built is what Obsidian installs, and nothing else", () => {
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
