import type { PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import type { CachedMetadata, MetadataCache, TFile, Vault } from "obsidian";
import type { Settings } from "../settings/settings.ts";
import type { VaultPaths } from "../vault-paths.ts";
import { isUnparsable } from "./unparsable-properties.ts";

/** Why a file is never shared. */
export type Exclusion =
  | { readonly kind: "secret" }
  /** Claude Code's own settings deny reading it. */
  | { readonly kind: "denied" }
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "tag"; readonly tag: string }
  /** A symbolic link leads it out of the vault. */
  | { readonly kind: "outside" }
  /** Its properties have `agent: false`. */
  | { readonly kind: "property" }
  /** Its properties are not valid YAML, and may be meant to have `agent: false`. */
  | { readonly kind: "unparsable" }
  /** It is in Obsidian's own list of excluded files. */
  | { readonly kind: "obsidian" }
  /** Obsidian does not report whether it is in that list. */
  | { readonly kind: "unknown" }
  /** Obsidian has not indexed it yet, so its tags and properties are unknown. */
  | { readonly kind: "unread" };

/** Whether a note is certainly excluded, not only until Obsidian reports whether it is. */
export function isCertain(exclusion: Exclusion | undefined): boolean {
  return !([undefined, "unread", "unknown", "unparsable"] as unknown[]).includes(exclusion?.kind);
}

/** The parts of Obsidian that exclusions depend on. */
export interface ExclusionSources {
  readonly vault: Pick<Vault, "configDir" | "getFileByPath" | "getMarkdownFiles">;
  readonly metadataCache: Pick<MetadataCache, "getFileCache">;
  readonly paths: VaultPaths;
  /** Tags and properties of open notes that are not saved yet. */
  readonly typedIn: (vaultPath: string) => readonly CachedMetadata[];
  /** Whether the note, whose properties are not valid YAML, may be meant to be excluded. */
  readonly mayExclude: (file: TFile) => boolean;
  /** Whether the settings of Claude Code deny a file to be read. */
  readonly isDenied: (path: PosixPath) => boolean;
  /** The real path of a vault path that leads through a symbolic link. */
  readonly realPathOf: (vaultPath: string) => PosixPath | undefined;
}

/** Returns why a path is never shared; undefined if it may be. */
export type FindExclusion = (path: PosixPath) => Exclusion | undefined;

/**
 * @param settings read on each call, so that changes apply at once
 * @param findTags returns all tags of a note, from its text and its properties
 */
export function createExclusions(
  { vault, metadataCache, paths, typedIn, mayExclude, isDenied, realPathOf }: ExclusionSources,
  settings: () => Settings,
  findTags: (cache: CachedMetadata) => readonly string[],
): FindExclusion {
  const ofNote = (file: TFile): Exclusion | undefined => {
    const cache = metadataCache.getFileCache(file);
    if (cache === null) return { kind: "unread" };
    if (isUnparsable(cache) && mayExclude(file)) return { kind: "unparsable" };
    const facts = [cache, ...typedIn(file.path)];
    if (facts.some(({ frontmatter = {} }) => deniesAgents(frontmatter)))
      return { kind: "property" };
    const tags = facts.flatMap(findTags);
    const tag = tags.find((each) => isBelowTag(each, settings().excludedTags));
    return tag === undefined ? undefined : { kind: "tag", tag };
  };
  const assess = (path: PosixPath, vaultPath: string | undefined): Exclusion | undefined => {
    if (isSecretPath(path)) return { kind: "secret" };
    if (isDenied(path)) return { kind: "denied" };
    // Files outside the vault matter only when an agent proposes to change them.
    if (vaultPath === undefined) return undefined;
    if (isInFolder(vaultPath, vault.configDir)) return { kind: "secret" };
    const folder = settings().excludedFolders.find((each) => isInFolder(vaultPath, each));
    if (folder !== undefined) return { kind: "folder", folder };
    const file = vault.getFileByPath(vaultPath) ?? writtenOtherwise(vaultPath, vault);
    const name = file?.path ?? vaultPath;
    const ignored = settings().respectExcludedFiles ? isUserIgnored(metadataCache, name) : false;
    if (ignored !== false) return { kind: ignored === true ? "obsidian" : "unknown" };
    return file?.extension === "md" ? ofNote(file) : undefined;
  };
  return (path) => {
    const vaultPath = paths.toVault(path);
    const real = vaultPath && realPathOf(vaultPath);
    const found = assess(path, vaultPath);
    if (found !== undefined || !real) return found;
    const realInVault = paths.toVault(real);
    return (
      assess(real, realInVault) ?? (realInVault === undefined ? { kind: "outside" } : undefined)
    );
  };
}

/**
 * Whether a path is in a folder as a person types it, with or without slashes around it. Case and Unicode
 * form are ignored on any disk: many disks open `SECRET/x.md` for `Secret`, and there is no reliable way
 * to know. On others, at worst a folder that differs only in case is excluded too.
 */
export function isInFolder(vaultPath: string, folder: string): boolean {
  const name = keyOf(withoutSlashes(folder));
  return name !== "" && `${keyOf(vaultPath)}/`.startsWith(`${name}/`);
}

/** Strips all slashes from both ends. */
export function withoutSlashes(text: string): string {
  let [from, to] = [0, text.length];
  while (text.charAt(from) === "/") from += 1;
  while (to > from && text.charAt(to - 1) === "/") to -= 1;
  return text.slice(from, to);
}

/** The note that a case-insensitive disk opens for a path in other case. */
function writtenOtherwise(vaultPath: string, vault: ExclusionSources["vault"]): TFile | undefined {
  const key = keyOf(vaultPath);
  return vault.getMarkdownFiles().find(({ path }) => keyOf(path) === key);
}

/** To upper case first: some lower-case letters share a capital. */
function keyOf(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}

/** Tags ignore case, and `#a` includes `#a/b`. */
export function isBelowTag(tag: string, excluded: readonly string[]): boolean {
  const bare = bareTag(tag);
  return excluded.map(bareTag).some((each) => each !== "" && `${bare}/`.startsWith(`${each}/`));
}

function bareTag(tag: string): string {
  return withoutSlashes(tag.trim().replace(/^#/, "")).toLowerCase();
}

/** Whether properties have `agent: false`, in any case, as a list, or with a word that people write. */
function deniesAgents(properties: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(properties)
    .filter(([key]) => key.trim().toLowerCase() === "agent")
    .flatMap(([, value]) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .some(isNo);
}

function isNo(value: unknown): boolean {
  if (typeof value !== "string") return value === false || value === 0;
  return /^(false|no|n|off|none|never|0)$/i.test(value.replace(/["']/g, "").trim());
}

/** Obsidian's own check of its list of excluded files, which is not in the published types. */
interface WithUserIgnore {
  readonly isUserIgnored?: (path: string) => unknown;
}

/** Undefined if Obsidian does not report it: a later version may have another method. */
function isUserIgnored(
  cache: ExclusionSources["metadataCache"],
  vaultPath: string,
): boolean | undefined {
  const { isUserIgnored: check } = cache as WithUserIgnore;
  if (typeof check !== "function") return undefined;
  try {
    const answer = check.call(cache, vaultPath) ?? false;
    return typeof answer === "boolean" ? answer : undefined;
  } catch {
    return undefined;
  }
}
