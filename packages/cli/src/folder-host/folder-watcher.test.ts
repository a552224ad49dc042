import fs, { type FSWatcher } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
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
  test("reports files that are made, changed and deleted in a directory", async () => {
    watcher.watch(folder);
    watcher.watch(folder);
    expect(watcher.directories).toBe(1);
    await writeFile(join(folder, "a"), "1");
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${folder}/a`), 20_000);
    received.mockReset();
    await rm(join(folder, "a"));
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${folder}/a`), 20_000);
  });

  test("still watches a directory that was deleted and made again", async () => {
    const sub = `${folder}/sub` as PosixPath;
    await mkdir(sub);
    watcher.watch(folder);
    watcher.watch(sub);
    await rm(sub, { recursive: true });
    await vi.waitFor(() => expect(receivedPaths()).toContain(sub), 20_000);
    expect(watcher.directories).toBe(1);
    await mkdir(sub);
    await vi.waitFor(() => expect(watcher.directories).toBe(2), 20_000);
    await writeFile(`${sub}/a`, "");
    await vi.waitFor(() => expect(receivedPaths()).toContain(`${sub}/a`), 20_000);
  });

  test.each(["ENOSPC", "EMFILE", "ENOENT"])("survives a system that says %s", (code) => {
    watch.mockImplementationOnce(() => {
      throw Object.assign(new Error(code), { code });
    });
    watcher.watch(folder);
    expect(watcher.directories).toBe(0);
    watcher.watch(folder);
    expect(watcher.directories).toBe(1);
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
    await vi.waitFor(() => expect(receivedByOther).toHaveBeenCalled(), 20_000);
    other.close();
    expect(received).not.toHaveBeenCalled();
  });
});
