import { isObject } from "@idewire/core/internal";

const WINDOWS = /^[A-Za-z]:[\\/]/;
/** The start of a file URI. */
export const URI = "file://";

/** The random digits that Claude Code adds to the title of a diff. */
export const RANDOM_DIGITS: RegExp = /\([0-9a-f]{6}\)/g;

/** An absolute path with `/` between names, a drive in upper case; undefined for any other text. */
export function absolutePath(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const path = text.startsWith(URI) ? fromUri(text) : text;
  if (WINDOWS.test(path)) return path.charAt(0).toUpperCase() + path.slice(1).replaceAll("\\", "/");
  return path.startsWith("/") && !path.includes("\n") ? path : undefined;
}

/** Editors escape more or less of a path; before a drive there is a third slash. */
function fromUri(uri: string): string {
  let path = uri.slice(URI.length);
  try {
    path = decodeURIComponent(path);
  } catch {
    // Not a URI, but agents send such paths, too.
  }
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** All absolute paths in members named as paths or URIs. */
export function pathsIn(value: unknown, key = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, key));
  if (isObject(value)) return Object.entries(value).flatMap(([name, item]) => pathsIn(item, name));
  const path = isPathKey(key) ? absolutePath(value) : undefined;
  return path === undefined ? [] : [path];
}

/** The deepest common folder of the files; undefined for the root. */
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

/** Whether a member of this name holds a path or a URI. */
export function isPathKey(key: string): boolean {
  return /path|uri$/i.test(key);
}
