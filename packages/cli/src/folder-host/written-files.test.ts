import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PosixPath } from "@idewire/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { type FolderHost, openFolderHost } from "./index.ts";

interface Opened {
  readonly host: FolderHost;
  readonly at: (name: string) => PosixPath;
  /** Names of the files that were reported since the last call; empty after two quiet seconds. */
  readonly written: () => readonly string[];
}

/** A folder that has been searched, with files that were written an hour ago. */
async function openFolder(names: readonly string[] = ["a.md", "sub/b.md"]): Promise<Opened> {
  const folder = temporaryFolder("idewire-written-");
  const at = (name: string) => join(folder, name) as PosixPath;
  const anHourAgo = Date.now() / 1_000 - 3_600;
  for (const name of names) {
    mkdirSync(join(at(name), ".."), { recursive: true });
    writeFileSync(at(name), "old\n");
    utimesSync(at(name), anHourAgo, anHourAgo);
  }
  const host = await openFolderHost(folder);
  onTestFinished(() => host.close());
  const found = new Set<string>();
  host.on("written", (paths) => {
    for (const path of paths) found.add(path.slice(host.folder.length + 1));
  });
  await host.diagnostics?.();
  await delay(300);
  return { host, at, written: () => [...found].sort() };
}

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=n", "-c", "user.email=e", ...args]);

test.each<[law: string, names: readonly string[], act: (opened: Opened) => unknown]>([
  [
    "a file to which a shell appends, though nobody has read it before",
    ["a.md"],
    ({ at }) => execFileSync("sh", ["-c", `echo more >> '${at("a.md")}'`]),
  ],
  ["a file in a folder below", ["sub/b.md"], ({ at }) => appendFileSync(at("sub/b.md"), "more\n")],
  ["a new file", ["new.md"], ({ at }) => writeFileSync(at("new.md"), "new\n")],
  [
    "a new file in a new folder",
    ["deep/er/new.md"],
    ({ at }) => {
      mkdirSync(at("deep/er"), { recursive: true });
      writeFileSync(at("deep/er/new.md"), "new\n");
    },
  ],
  [
    "a file over which an older one is renamed, and the older one, which is gone",
    ["a.md", "sub/b.md"],
    ({ at }) => renameSync(at("sub/b.md"), at("a.md")),
  ],
  ["a deleted file", ["a.md"], ({ at }) => rmSync(at("a.md"))],
  [
    "the files of a folder that is moved away",
    ["sub/b.md"],
    ({ at }) => renameSync(at("sub"), at(".away")),
  ],
  [
    "a hidden file that an agent has announced, in a folder that does not exist yet",
    [".hidden/x.json"],
    async ({ host, at }) => {
      expect(await host.fileVersion?.(at(".hidden/x.json"))).toBeUndefined();
      mkdirSync(at(".hidden"));
      writeFileSync(at(".hidden/x.json"), "{}");
    },
  ],
  [
    "a file written by another program after the editor's own save",
    ["a.md"],
    async ({ host, at }) => {
      await host.edit(at("a.md"), "typed\n");
      await host.save(at("a.md"));
      await delay(500);
      appendFileSync(at("a.md"), "more\n");
    },
  ],
])("is reported as written: %s", async (_law, names, act) => {
  const opened = await openFolder();
  await act(opened);
  await vi.waitFor(() => expect(opened.written()).toEqual(names), { timeout: 10_000 });
});

test.each<[law: string, act: (opened: Opened) => unknown]>([
  [
    "the editor's own save",
    async ({ host, at }) => {
      await host.edit(at("a.md"), "typed\n");
      expect(await host.save(at("a.md"))).toEqual({ saved: true });
    },
  ],
  ["another mode of a file", ({ at }) => chmodSync(at("a.md"), 0o600)],
  [
    "a draft that is gone at once",
    ({ at }) => {
      writeFileSync(at("a.md.tmp.1"), "x");
      rmSync(at("a.md.tmp.1"));
    },
  ],
  ["an empty folder", ({ at }) => mkdirSync(at("empty"))],
  ["a swap file of an editor", ({ at }) => writeFileSync(at(".a.md.swp"), "x")],
  ["a backup of an editor", ({ at }) => writeFileSync(at("a.md~"), "x")],
  ["a comment file of idewire", ({ at }) => writeFileSync(at("a.md.comments"), "{}")],
  ["Git's own files", ({ host }) => git(host.folder, "init", "-q")],
])("is not reported as written: %s", async (_law, act) => {
  const opened = await openFolder();
  await act(opened);
  await delay(1_000);
  expect(opened.written()).toEqual([]);
  appendFileSync(opened.at("sub/b.md"), "control\n");
  await vi.waitFor(() => expect(opened.written()).toEqual(["sub/b.md"]), { timeout: 10_000 });
});

test("a checkout reports exactly the files that it has changed", async () => {
  const names = Array.from({ length: 120 }, (_, at) => `src/f${String(at).padStart(3, "0")}.txt`);
  const opened = await openFolder(names);
  const { folder } = opened.host;
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "old");
  for (const name of names.slice(20)) writeFileSync(opened.at(name), "changed\n");
  git(folder, "commit", "-qam", "changed");
  await vi.waitFor(() => expect(opened.written()).toEqual(names.slice(20)), { timeout: 10_000 });
  const again = await openFolderHost(folder);
  onTestFinished(() => again.close());
  const found = new Set<string>();
  again.on("written", (paths) => {
    for (const path of paths) found.add(path.slice(folder.length + 1));
  });
  await again.diagnostics?.();
  await delay(300);
  git(folder, "checkout", "-q", "HEAD~1");
  await vi.waitFor(() => expect([...found].sort()).toEqual(names.slice(20)), { timeout: 10_000 });
});
