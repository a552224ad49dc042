import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { ExcludedFiles } from "./excluded-files.ts";

function open(globs: readonly string[] = []) {
  const root = mkdtempSync(join(tmpdir(), "idewire-excluded-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "work") as PosixPath;
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  mkdirSync(folder);
  const files = new ExcludedFiles({ folders: () => [folder], globs, env: { HOME: root } });
  const has = (path: string) =>
    files.has((path.startsWith("/") ? path : `${folder}/${path}`) as PosixPath);
  const deny = (rules: readonly unknown[], name = "work/.claude/settings.json") =>
    write(name, JSON.stringify({ permissions: { deny: rules } }));
  return { root, folder, has, deny, write };
}

test.each([
  ["*.sqlite", ["a.sqlite", "sub/b.SQLITE"], ["a.sqlite3"]],
  ["private/", ["private/a", "sub/private/b/c.md"], ["private", "privateer/a"]],
  ["/top.md", ["top.md"], ["sub/top.md"]],
  ["data/**/raw-*.csv", ["data/raw-1.csv", "data/x/y/raw-2.csv"], ["raw-1.csv"]],
  ["a [b].md", ["a b.md"], ["a [b].md"]],
])("--exclude %s hides these files, and no others", (glob, hidden, shown) => {
  const { has } = open([glob]);
  expect(hidden.filter((path) => !has(path))).toEqual([]);
  expect(shown.filter(has)).toEqual([]);
});

test("a denied pattern with very many wildcards costs little, and excludes no less", () => {
  const { has, deny } = open();
  deny([`Read(${"**/a/".repeat(6)}b)`, `Read(${"**/d/".repeat(2)}${"**/e/".repeat(6)}b)`]);
  const before = process.cpuUsage();
  expect(has(`${"a/".repeat(60)}b`)).toBe(true);
  expect(has(`${"d/".repeat(60)}b`)).toBe(false);
  expect(has(`${"d/".repeat(60)}${"e/".repeat(60)}b`)).toBe(true);
  expect(has("a/x/a/b")).toBe(false);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
});

test.each([
  ["Read(./secrets/**)", ["secrets/a", "secrets/b/c"], ["sub/secrets/a", "secrets.md"]],
  ["Read(*.dump)", ["a.dump", "sub/b.dump"], ["dump"]],
  ["Read(/config/keys.json)", ["config/keys.json"], ["sub/config/keys.json"]],
  ["Read(#odd.md)", ["#odd.md"], ["odd.md"]],
  ["Read", ["anything", "sub/any"], []],
  ["Edit(*.dump)", [], ["a.dump"]],
  ["Bash(cat *.dump)", [], ["a.dump"]],
])("what Claude Code's settings deny to be read is excluded: %s", (rule, hidden, shown) => {
  const { has, deny } = open();
  deny([rule, 7, null]);
  expect(hidden.filter((path) => !has(path))).toEqual([]);
  expect(shown.filter(has)).toEqual([]);
});

test("rules of the person, absolute ones, and those of the local settings count too", () => {
  const { root, has, deny } = open();
  deny(["Read(~/work/mine.md)"], ".claude/settings.json");
  deny([`Read(/${root}/work/absolute.md)`], "work/.claude/settings.local.json");
  expect(["mine.md", "absolute.md", "other.md"].filter(has)).toEqual(["mine.md", "absolute.md"]);
});

test("settings that change apply within seconds, and broken ones exclude nothing", async () => {
  const { has, deny, write } = open();
  expect(has("a.md")).toBe(false);
  deny(["Read(a.md)"]);
  await vi.waitFor(() => expect(has("a.md")).toBe(true), 60_000);
  write("work/.claude/settings.json", "{");
  await vi.waitFor(() => expect(has("a.md")).toBe(false), 60_000);
});

test("settings below a file, or below a link to itself, exclude nothing", () => {
  const { root, has, write } = open(["*.dump"]);
  write("work/.claude", "a file");
  symlinkSync(join(root, ".claude"), join(root, ".claude"));
  expect(["a.dump", "a.md"].filter(has)).toEqual(["a.dump"]);
});
