import { isObject } from "@idewire/core/internal";
import { exactJson } from "../exact-json.ts";

/** A value with the paths of one folder replaced by those of another. */
export function moveFolder(value: unknown, folders: readonly [from: string, to: string]): unknown {
  if (typeof value === "string") return moveText(value, folders);
  if (Array.isArray(value)) return value.map((item) => moveFolder(item, folders));
  if (!isObject(value) || exactJson.isLongNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, moveFolder(item, folders)]),
  );
}

function moveText(text: string, [from, to]: readonly [from: string, to: string]): string {
  const [native, moved] = [from, to].map((folder) => folder.replaceAll("/", "\\"));
  return text.replaceAll(from, to).replaceAll(native ?? from, moved ?? to);
}

/**
 * The folder of the recorded workspace: the part of the deepest folder of the recorded files that is
 * named as the live one, or else all of it.
 */
export function recordedFolderFor(live: string, deepest: string): string {
  const name = live.split("/").at(-1);
  const parts = deepest.split("/");
  const at = parts.lastIndexOf(name ?? "");
  return at > 0 ? parts.slice(0, at + 1).join("/") : deepest;
}
