import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditorHost, PosixPath } from "@idewire/core";
import { type IdeListener, type ListenIdeOptions, listenIde } from "@idewire/node-server";
import { afterEach, beforeEach } from "vitest";
import { removeFolder } from "./remove-folder.ts";

/** A new home and folder for each test, and the listeners that it opens. */
export interface ListeningFixture {
  /** Of the running test: native and real. */
  readonly home: string;
  readonly folder: string;
  /** Listens for {@link hostOf} the folder, unless the options override it. */
  listen(options?: ListenIdeOptions & { readonly host?: EditorHost }): Promise<IdeListener>;
  /** Closes all listeners; called after each test. */
  closeAll(): Promise<void>;
}

/** An editor of a folder, without open files. */
export function hostOf(path: string): EditorHost {
  return {
    name: "test",
    version: "1",
    workspace: () => ({ folders: [{ path: path as PosixPath, name: "work" }], trusted: true }),
    documents: () => [],
    selection: () => undefined,
    read: async () => "",
    on: () => () => {},
  };
}

/** Call it once in a test file. */
export function useListeners(): ListeningFixture {
  let [home, folder] = ["", ""];
  const open: IdeListener[] = [];
  const closeAll = async () => {
    await Promise.all(open.splice(0).map((listener) => listener.close()));
  };
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "idewire-home-")));
    folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-folder-")));
  });
  afterEach(async () => {
    await closeAll();
    await removeFolder(home);
    await removeFolder(folder);
  });
  return {
    get home() {
      return home;
    },
    get folder() {
      return folder;
    },
    closeAll,
    async listen({ host = hostOf(folder), ...options } = {}) {
      const listener = await listenIde(host, { env: { HOME: home }, ...options });
      open.push(listener);
      return listener;
    },
  };
}
