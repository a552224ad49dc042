import { isObject } from "@idewire/core";

const WINDOWS = /^[A-Za-z]:[\\/]/;
const URI = "file://";

/** How agents write a path in a text; the random digits are Claude Code's, in the titles of its diffs. */
const RANDOM_DIGITS = /\([0-9a-f]{6}\)/g;

/** An absolute path with `/` between names; undefined for any other text. */
export function absolutePath(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const path = text.startsWith(URI) ? text.slice(URI.length) : text;
  if (WINDOWS.test(path)) return path.replaceAll("\\", "/");
  return path.startsWith("/") && !path.includes("\n") ? path : undefined;
}

/** All absolute paths in members that are named for a path or a URI. */
export function pathsIn(value: unknown, key = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, key));
  if (isObject(value)) return Object.entries(value).flatMap(([name, item]) => pathsIn(item, name));
  const path = isPathKey(key) ? absolutePath(value) : undefined;
  return path === undefined ? [] : [path];
}

/** The deepest folder that holds all of the files; undefined when only the root does. */
export function commonFolder(paths: readonly string[]): string | undefined {
  const [first, ...rest] = paths.map((path) => path.split("/").slice(0, -1));
  if (first === undefined) return undefined;
  let length = first.length;
  for (const names of rest) {
    const differs = first.findIndex((name, at) => names[at] !== name);
    if (differs >= 0) length = Math.min(length, differs);
  }
  const folder = first.slice(0, length).join("/");
  return folder === "" ? undefined : folder;
}

/** Names the files of a recorded workspace as a scenario does. */
export class WorkspaceNames {
  readonly folder: string;
  readonly #foreign: (path: string) => void;

  /**
   * @param folder with `/` between names, without one at its end
   * @param onforeign called for each path outside of it that a pattern leaves open
   */
  constructor(folder: string, onforeign: (path: string) => void) {
    this.folder = folder;
    this.#foreign = onforeign;
  }

  /** The name of a file, relative to the workspace; undefined for anything else. */
  nameOf(text: unknown): string | undefined {
    const path = absolutePath(text);
    if (path === undefined || !path.startsWith(`${this.folder}/`)) return undefined;
    return path.slice(this.folder.length + 1) || undefined;
  }

  /** Whether a value names the workspace somewhere. */
  isNamedIn(value: unknown): boolean {
    return JSON.stringify(value ?? null)
      .replaceAll("\\\\", "/")
      .includes(this.folder);
  }

  /** The pattern that matches a value in any workspace and any run. */
  toPattern(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#textPattern(value, key);
    if (Array.isArray(value)) return value.map((item) => this.toPattern(item, key));
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    const isPlain = entries.length > 0 && entries.every(([name]) => !name.startsWith("$"));
    if (!isPlain) return { $exactly: value };
    return Object.fromEntries(entries.map(([name, item]) => [name, this.toPattern(item, name)]));
  }

  #textPattern(text: string, key: string): unknown {
    const name = this.nameOf(text);
    if (name !== undefined) return text.startsWith(URI) ? { $uri: name } : { $path: name };
    if (isPathKey(key) && absolutePath(text) !== undefined) {
      this.#foreign(text);
      return { $any: "string" };
    }
    if (key === "new_file_contents") return text;
    const like = text.replaceAll(this.folder, "*").replaceAll(RANDOM_DIGITS, "(*)");
    return like === text ? text : { $like: like };
  }
}

function isPathKey(key: string): boolean {
  return /path|uri$/i.test(key);
}
