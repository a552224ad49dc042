import { commentsSuffix } from "../format/document.ts";
import type { CommentWorkspace, LockedFiles } from "./workspace.ts";

/** A workspace in memory, for web pages and tests. */
export interface MemoryWorkspace extends CommentWorkspace {
  /** All files by path, including `.comments` files; may be changed directly. */
  readonly files: Map<string, string>;
}

export function createMemoryWorkspace(
  files: Readonly<Record<string, string>> = {},
): MemoryWorkspace {
  const all = new Map(Object.entries(files));
  let last: Promise<unknown> = Promise.resolve();
  const locked: LockedFiles = {
    read: async (path) => all.get(path + commentsSuffix),
    async write(path, text) {
      if (text === undefined) all.delete(path + commentsSuffix);
      else all.set(path + commentsSuffix, text);
    },
    async backup(path) {
      const text = all.get(path + commentsSuffix);
      if (text !== undefined) all.set(`${path}${commentsSuffix}.backup`, text);
    },
  };
  return {
    files: all,
    readSource: async (path) => all.get(path),
    readComments: async (path) => all.get(path + commentsSuffix),
    update<T>(_: readonly string[], change: (files: LockedFiles) => Promise<T>): Promise<T> {
      const done = last.then(() => change(locked));
      last = done.catch(() => {});
      return done;
    },
    list: async () =>
      [...all.keys()]
        .filter((path) => path.endsWith(commentsSuffix))
        .map((path) => path.slice(0, -commentsSuffix.length))
        .sort(),
    findSources: async (extensions) =>
      [...all.keys()].filter((path) => extensions.includes(path.split(".").at(-1) ?? "")),
  };
}
