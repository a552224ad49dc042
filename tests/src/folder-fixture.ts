import { mkdir, mkdtemp, realpath, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { type FolderHost, openFolderHost } from "idewire/folder-host";
import { afterEach, beforeEach, vi } from "vitest";
import { removeFolder } from "./remove-folder.ts";

/** A new folder for each test, and its host. */
export interface FolderFixture {
  /** Of the running test: native and real. */
  readonly folder: string;
  readonly host: FolderHost;
  pathOf(name: string): PosixPath;
  /** Atomic, so that no partial file can be read. */
  write(name: string, text: string | Uint8Array): Promise<PosixPath>;
  /** The number of diagnostics of each file in an answer. */
  counts(path?: PosixPath): Promise<Readonly<Record<string, number>>>;
  /** With a long time-out, for a busy machine. */
  waitFor(holds: () => void): Promise<void>;
}

/** Call it once in a test file: it opens a folder before each test, and removes it afterwards. */
export function useFolder(): FolderFixture {
  let folder = "";
  let host: FolderHost;
  let drafts = 0;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-folder-")));
    host = await openFolderHost(folder);
  });
  afterEach(async () => {
    await host.close();
    await removeFolder(folder);
  });
  const pathOf = (name: string) => join(folder, name) as PosixPath;
  return {
    get folder() {
      return folder;
    },
    get host() {
      return host;
    },
    pathOf,
    async write(name, text) {
      await mkdir(dirname(pathOf(name)), { recursive: true });
      const draft = `${folder}.${drafts++}`;
      await writeFile(draft, text);
      await rename(draft, pathOf(name));
      return pathOf(name);
    },
    async counts(path) {
      const files = (await host.diagnostics?.(path)) ?? [];
      return Object.fromEntries(
        files.map((file) => [file.path.replace(`${folder}/`, ""), file.diagnostics.length]),
      );
    },
    waitFor: (holds) => vi.waitFor(holds, 60_000),
  };
}
