import { readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { isObject, parseJson, relativeTo } from "@idewire/core/internal";
import { isInside } from "@idewire/core/internal/base";
import ignore, { type Ignore } from "ignore";
import { platform } from "../process/platform.ts";
import { type Environment, homeDirectory } from "./directories.ts";
import { fromNative, toNative } from "./native-path.ts";

/** How long settings are cached before their file is checked again. */
const FRESH_MS = 1_000;

/** The size limit of a settings file. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The files excluded from sharing, besides core's secret files. */
export interface ExcludedFilesOptions {
  /** The current workspace folders. */
  readonly folders: () => readonly PosixPath[];
  /** Patterns as in a `.gitignore`, relative to each folder. */
  readonly globs?: readonly string[] | undefined;
  readonly env: Environment;
}

/** Patterns, and the directory to which they are relative. */
interface Rules {
  readonly root: PosixPath;
  readonly ignore: Ignore;
}

interface SettingsFile {
  readonly stamp: string;
  readonly rules: readonly Rules[];
}

/**
 * The files that the person excludes: by globs, and by `permissions.deny` in Claude Code's settings, where
 * `Read(…)` has patterns as in a `.gitignore`. Changed settings apply within a second.
 */
export class ExcludedFiles {
  readonly #options: ExcludedFilesOptions;
  #globs: readonly string[];
  readonly #settings = new Map<string, SettingsFile>();
  #rules: readonly Rules[] = [];
  #readFor = "";
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(options: ExcludedFilesOptions) {
    this.#options = options;
    this.#globs = options.globs ?? [];
  }

  /** The patterns; changed ones apply at once. */
  get globs(): readonly string[] {
    return this.#globs;
  }

  set globs(globs: readonly string[]) {
    this.#globs = globs;
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether a path is excluded by its name; links are up to the caller. */
  has(path: PosixPath): boolean {
    const folders = this.#options.folders();
    const key = folders.join("\n");
    const now = performance.now();
    if (key !== this.#readFor || now - this.#readAt > FRESH_MS) {
      this.#readFor = key;
      this.#readAt = now;
      this.#rules = folders.flatMap((folder) => this.#rulesOf(folder));
    }
    return this.#rules.some((rules) => {
      const isIn = isInside(rules.root, path, platform);
      const relative = isIn ? relativeTo(rules.root, path, platform) : "";
      return ignore.isPathValid(relative) && rules.ignore.ignores(relative);
    });
  }

  #rulesOf(folder: PosixPath): readonly Rules[] {
    const { env } = this.#options;
    const globs = this.#globs;
    const native = toNative(folder);
    const user = env["CLAUDE_CONFIG_DIR"] || join(homeDirectory(env), ".claude");
    const files = [
      join(native, ".claude", "settings.json"),
      join(native, ".claude", "settings.local.json"),
      join(user, "settings.json"),
    ];
    const own = globs.length === 0 ? [] : [{ root: folder, ignore: ignore().add([...globs]) }];
    return [...own, ...files.flatMap((file) => this.#read(file, folder))];
  }

  #read(file: string, folder: PosixPath): readonly Rules[] {
    const key = `${file}\n${folder}`;
    const stats = statsOf(file);
    if (stats?.isFile() !== true || stats.size > MAX_SETTINGS_BYTES) {
      this.#settings.delete(key);
      return [];
    }
    const stamp = `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const known = this.#settings.get(key);
    if (known?.stamp === stamp) return known.rules;
    const rules = deniedBy(file).flatMap((pattern) => this.#toRules(pattern, folder));
    this.#settings.set(key, { stamp, rules });
    return rules;
  }

  /**
   * `//a` is absolute, `~/a` is in the home; `/a` and `./a` are relative to the folder, `a` matches anywhere in
   * it.
   */
  #toRules(pattern: string, folder: PosixPath): readonly Rules[] {
    if (pattern.startsWith("//")) return [toRules("/" as PosixPath, pattern.slice(1))];
    if (pattern === "~" || pattern.startsWith("~/")) {
      const home = fromNative(homeDirectory(this.#options.env));
      return [toRules(home, pattern.slice(1) || "/**")];
    }
    return [toRules(folder, pattern.replace(/^\.\//, "/"))];
  }
}

/** Undefined if it cannot be read, for example when a file is in place of a directory. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

/** With more wildcards, the time to compare a deep path grows without limit. */
const MAX_WILDCARDS = 4;

/** The settings may come with an unpacked folder: a pattern is cut after its last wildcard, and so excludes more. */
function toRules(root: PosixPath, pattern: string): Rules {
  const wildcards = [...pattern.matchAll(/\*+/g)];
  const { index, 0: last } = wildcards[MAX_WILDCARDS - 1] ?? { index: pattern.length, 0: "" };
  const cut = pattern.slice(0, index + last.length);
  return { root, ignore: ignore().add(cut.replace(/^[#!]/, "\\$&")) };
}

/** The patterns of the `Read(…)` in a settings file; `Read` alone denies all. */
function deniedBy(file: string): readonly string[] {
  try {
    const settings = parseJson(readFileSync(file, "utf8"));
    const permissions = isObject(settings) ? settings["permissions"] : undefined;
    const deny: unknown = isObject(permissions) ? permissions["deny"] : undefined;
    return (Array.isArray(deny) ? (deny as readonly unknown[]) : []).flatMap((rule) => {
      const [whole, pattern] = /^Read(?:\((.*)\))?$/s.exec(String(rule).trim()) ?? [];
      return whole === undefined ? [] : [pattern?.trim() || "**"];
    });
  } catch {
    // Claude Code ignores such a file, too.
    return [];
  }
}
