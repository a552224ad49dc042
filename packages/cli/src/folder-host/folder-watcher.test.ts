import fs, { type FSWatcher } from "node:fs";
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { removeFolder } from "../../../../tests/src/remove-folder.ts";
import { FolderWatcher } from "./folder-watcher.ts";

const watch = vi.spyOn(fs, "watch");
syncBuiltinESMExports();

afterAll(() => {
  watch.mockRestore();
  syncBuiltinESMExports();
});

let folder: PosixPath;
let watcher: FolderWatcher;
const received = vi.fn<(paths: readonly PosixPath[]) => void>();

beforeEach(async () => {
  folder = (await realpath(await mkdtemp(join(tmpdir(), "idewire-watcher-")))) as PosixPath;
  watcher = new FolderWatcher(received);
});

afterEach(async () => {
  watcher.close();
  received.mockReset();
  await removeFolder(folder);
});

function receivedPaths(): readonly string[] {
  return received.mock.calls.flatMap(([paths]) => paths);
}

describe("a watcher", () => {
  test("reports created, changed and deleted files in a directory", async () => {
    watcher.watch(folder);
    watcher.watch(folder);
    expect(watcher.directories).toBe(1);
    await writeFile(join(folder, "a"), "1");
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${folder}/a`), 60_000);
    received.mockReset();
    await rm(join(folder, "a"));
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${folder}/a`), 60_000);
  });

  test("still watches a directory that was deleted and recreated", async () => {
    const sub = `${folder}/sub` as PosixPath;
    await mkdir(sub);
    watcher.watch(folder);
    watcher.watch(sub);
    await rm(sub, { recursive: true });
    await vi.waitFor(() => expect(receivedPaths()).toContain(sub), 60_000);
    expect(watcher.directories).toBe(1);
    await mkdir(sub);
    await vi.waitFor(() => expect(watcher.directories).toBe(2), 60_000);
    await writeFile(`${sub}/a`, "");
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${sub}/a`), 60_000);
  });

  test.each(["ENOSPC", "EMFILE", "ENOENT"])("survives the system error %s", (code) => {
    watch.mockImplementationOnce(() => {
      throw Object.assign(new Error(code), { code });
    });
    watcher.watch(folder);
    expect(watcher.directories).toBe(0);
    watcher.watch(folder);
    expect(watcher.directories).toBe(1);
  });

  test("a watch that fails later is polled, and the warning names its cause", () => {
    const warn = vi.fn();
    watcher.close();
    watcher = new FolderWatcher(received, { warn });
    watcher.watch(folder);
    const inner = watch.mock.results.at(-1)?.value as FSWatcher;
    inner.emit("error", Object.assign(new Error("EMFILE"), { code: "EMFILE" }));
    expect(watcher.directories).toBe(0);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("ulimit -n")]]);
  });

  test("survives a watch that fails later", () => {
    watcher.watch(folder);
    const inner = watch.mock.results.at(-1)?.value as FSWatcher;
    inner.emit("error", new Error("EPERM"));
    expect(watcher.directories).toBe(0);
  });

  test("reports nothing after it is closed", async () => {
    watcher.watch(folder);
    const receivedByOther = vi.fn();
    const other = new FolderWatcher(receivedByOther);
    other.watch(folder);
    await writeFile(join(folder, "a"), "1");
    watcher.close();
    watcher.watch(folder);
    expect(watcher.directories).toBe(0);
    await vi.waitFor(() => expect(receivedByOther).toHaveBeenCalled(), 60_000);
    other.close();
    expect(received).not.toHaveBeenCalled();
  });
});

describe("beyond the limits of watching", () => {
  const warnings: string[] = [];
  const open = (maxDirectories: number) => {
    watcher.close();
    warnings.length = 0;
    const warn = (words: string) => warnings.push(words);
    watcher = new FolderWatcher(received, { maxDirectories, pollMs: 50, warn });
  };
  const makeFolders = async (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `${folder}/d${at}` as PosixPath);
    for (const name of names) await mkdir(name);
    return names;
  };
  /** Until the polled directories have been looked at once. */
  const settle = () => new Promise((resolve) => setTimeout(resolve, 400));
  const reports = (path: string) =>
    vi.waitFor(() => expect(receivedPaths()).toContain(path), 60_000);

  test("directories that are one too many are polled, and the person is warned once", async () => {
    open(2);
    const folders = await makeFolders(5);
    for (const each of folders) watcher.watch(each);
    expect(watcher.directories).toBe(2);
    await settle();
    for (const each of folders) await writeFile(`${each}/new`, "1");
    for (const each of folders) await reports(`${each}/new`);
    received.mockReset();
    for (const each of folders) await writeFile(`${each}/new`, "changed");
    for (const each of folders) await reports(`${each}/new`);
    received.mockReset();
    for (const each of folders) await rm(`${each}/new`);
    for (const each of folders) await reports(`${each}/new`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("more than 2 folders");
    expect(warnings[0]).not.toContain("fs.inotify");
  });

  test("the directory of an open document is watched before any other", async () => {
    open(2);
    const [one, two, three] = await makeFolders(3);
    for (const each of [one, two]) if (each) watcher.watch(each);
    if (three) watcher.watch(three, { first: true });
    watch.mockClear();
    expect(watcher.directories).toBe(2);
    await writeFile(`${three}/a`, "1");
    await reports(`${three}/a`);
    await settle();
    await writeFile(`${one}/a`, "1");
    await reports(`${one}/a`);
  });

  test.each([
    ["ENOSPC", "fs.inotify.max_user_watches"],
    ["EMFILE", "fs.inotify.max_user_instances"],
    ["EMFILE", "ulimit -n"],
    ["ENFILE", "fs.file-max"],
    ["ENOSYS", "refuses a watch"],
  ])(
    "if the system reports %s, directories are polled, and the warning names the limit %s",
    async (code, limit) => {
      open(1_000);
      watch.mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
      watcher.watch(folder);
      expect(watcher.directories).toBe(0);
      await settle();
      await writeFile(`${folder}/a`, "1");
      await reports(`${folder}/a`);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(code);
      expect(warnings[0]).toContain(limit);
      expect(warnings[0]?.includes("max_user_watches")).toBe(code === "ENOSPC");
    },
  );

  test.each([
    ["removed", (path: string) => rm(path, { recursive: true })],
    ["moved", (path: string) => rename(path, `${path}.away`)],
  ])("a root that is %s is reported, and watched again once it is recreated", async (_, take) => {
    open(1_000);
    const [root = folder] = await makeFolders(1);
    const sub = `${root}/sub` as PosixPath;
    await mkdir(sub);
    watcher.watch(root, { first: true });
    watcher.watch(sub);
    await take(root);
    await reports(root);
    await mkdir(sub, { recursive: true });
    await vi.waitFor(() => expect(watcher.directories).toBe(2), 60_000);
    await writeFile(`${sub}/a`, "1");
    await reports(`${sub}/a`);
    expect(warnings).toEqual([]);
  });

  test("a root that another one has replaced, above which something was moved, is watched again", async () => {
    open(1_000);
    const root = `${folder}/above/root` as PosixPath;
    await mkdir(root, { recursive: true });
    watcher.watch(root, { first: true });
    await rename(`${folder}/above`, `${folder}/away`);
    await mkdir(root, { recursive: true });
    await reports(root);
    await writeFile(`${root}/a`, "1");
    await reports(`${root}/a`);
  });

  test.each([
    ["a file", (path: string) => writeFile(path, "")],
    ["a link to itself", (path: string) => symlink(path, path)],
    ["a link to another directory", (path: string) => symlink(folder, path)],
  ])(
    "a root above which there is %s is reported, and watched again when it is back",
    async (_, put) => {
      open(1_000);
      const [above, away] = [`${folder}/above`, `${folder}/away`];
      const root = `${above}/inner` as PosixPath;
      await mkdir(root, { recursive: true });
      watcher.watch(root, { first: true });
      await rename(above, away);
      await put(above);
      await reports(root);
      await vi.waitFor(() => expect(watcher.directories).toBe(0), 60_000);
      received.mockReset();
      await rm(above);
      await rename(away, above);
      await reports(root);
      await vi.waitFor(() => expect(watcher.directories).toBe(1), 60_000);
      await writeFile(`${root}/a`, "1");
      await reports(`${root}/a`);
    },
  );

  test.each(["ENOTDIR", "ELOOP", "EACCES"])(
    "a directory that the system refuses with %s is watched as soon as it can be",
    async (code) => {
      open(1_000);
      watch.mockImplementationOnce(() => {
        throw Object.assign(new Error(code), { code });
      });
      watcher.watch(folder);
      expect(watcher.directories).toBe(0);
      await reports(folder);
      await vi.waitFor(() => expect(watcher.directories).toBe(1), 60_000);
      expect(warnings).toEqual([]);
    },
  );
});
