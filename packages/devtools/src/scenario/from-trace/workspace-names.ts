import { isObject } from "@idewire/core/internal";
import { absolutePath, isPathKey, RANDOM_DIGITS, URI } from "../../recorded-paths.ts";
import { exactJson } from "../../trace/exact-json.ts";

/** Names the files of a recorded workspace as a scenario does. */
export class WorkspaceNames {
  readonly folder: string;
  readonly #foreign: (path: string) => void;

  /**
   * @param folder with `/` between names, without one at its end
   * @param onforeign called for each path outside of it, which becomes an open pattern
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
    if (!isObject(value) || exactJson.isLongNumber(value)) return value;
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
