import { isSecretPath, type PosixPath } from "@idewire/core";
import type { CachedMetadata, MetadataCache, TFile, Vault } from "obsidian";
import type { Settings } from "../settings/settings.ts";
import type { VaultPaths } from "../vault-paths.ts";

/** Why agents are told nothing of a file. */
export type Exclusion =
  | { readonly kind: "secret" }
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "tag"; readonly tag: string }
  /** A link leads it out of the vault. */
  | { readonly kind: "outside" }
  /** It says `agent: false` in its properties. */
  | { readonly kind: "property" }
  /** Obsidian's own list of excluded files has it. */
  | { readonly kind: "obsidian" }
  /** Obsidian has not read it yet, so that its tags and properties are not known. */
  | { readonly kind: "unread" };

/** The parts of Obsidian that know what a note says of itself. */
export interface ExclusionSources {
  readonly vault: Pick<Vault, "configDir" | "getFileByPath" | "getMarkdownFiles">;
  readonly metadataCache: Pick<MetadataCache, "getFileCache">;
  readonly paths: VaultPaths;
  /** What open notes say of themselves that is not saved yet. */
  readonly typedIn: (vaultPath: string) => readonly CachedMetadata[];
  /** Where a path of the vault really is, when a link is on the way to it. */
  readonly realPathOf: (vaultPath: string) => PosixPath | undefined;
}

/** Says why agents are told nothing of a path, or undefined when they may be told. */
export type FindExclusion = (path: PosixPath) => Exclusion | undefined;

/**
 * @param settings read at each question, so that a change counts at once
 * @param findTags all tags of a note, in its text and its properties
 */
export function createExclusions(
  { vault, metadataCache, paths, typedIn, realPathOf }: ExclusionSources,
  settings: () => Settings,
  findTags: (cache: CachedMetadata) => readonly string[],
): FindExclusion {
  const ofNote = (file: TFile): Exclusion | undefined => {
    const cache = metadataCache.getFileCache(file);
    if (cache === null) return { kind: "unread" };
    const facts = [cache, ...typedIn(file.path)];
    if (facts.some(({ frontmatter }) => isNo(frontmatter?.["agent"]))) return { kind: "property" };
    const tags = facts.flatMap(findTags);
    const tag = tags.find((each) => isBelowTag(each, settings().excludedTags));
    return tag === undefined ? undefined : { kind: "tag", tag };
  };
  const assess = (path: PosixPath, vaultPath: string | undefined): Exclusion | undefined => {
    if (isSecretPath(path)) return { kind: "secret" };
    // Of what is outside an agent speaks only when it proposes to change it.
    if (vaultPath === undefined) return undefined;
    if (isInFolder(vaultPath, vault.configDir)) return { kind: "secret" };
    const folder = settings().excludedFolders.find((each) => isInFolder(vaultPath, each));
    if (folder !== undefined) return { kind: "folder", folder };
    const file = vault.getFileByPath(vaultPath) ?? writtenOtherwise(vaultPath, vault);
    const name = file?.path ?? vaultPath;
    if (settings().respectExcludedFiles && isUserIgnored(metadataCache, name)) {
      return { kind: "obsidian" };
    }
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
 * A folder as a person types it: with slashes around it, or not. Its capitals and the form of its
 * letters do not count, on any disk: many open `SECRET/x.md` where `Secret` is meant, no program
 * knows of each folder whether its disk does, and on one that does not the most that it costs is
 * that a folder which differs in nothing else is kept from agents too.
 */
export function isInFolder(vaultPath: string, folder: string): boolean {
  const name = keyOf(withoutSlashes(folder));
  return name !== "" && `${keyOf(vaultPath)}/`.startsWith(`${name}/`);
}

/** However many there are at either end. */
function withoutSlashes(text: string): string {
  let [from, to] = [0, text.length];
  while (text.charAt(from) === "/") from += 1;
  while (to > from && text.charAt(to - 1) === "/") to -= 1;
  return text.slice(from, to);
}

/** The note that a disk may give for a path that Obsidian knows only in other capitals. */
function writtenOtherwise(vaultPath: string, vault: ExclusionSources["vault"]): TFile | undefined {
  const key = keyOf(vaultPath);
  return vault.getMarkdownFiles().find(({ path }) => keyOf(path) === key);
}

/** In upper case first: some small letters have one capital. */
function keyOf(path: string): string {
  return path.normalize("NFC").toUpperCase().toLowerCase();
}

/** Tags are equal without regard to case, and `#a` has `#a/b` with it. */
export function isBelowTag(tag: string, excluded: readonly string[]): boolean {
  const bare = bareTag(tag);
  return excluded.map(bareTag).some((each) => each !== "" && `${bare}/`.startsWith(`${each}/`));
}

function bareTag(tag: string): string {
  return withoutSlashes(tag.trim().replace(/^#/, "")).toLowerCase();
}

/** YAML's false, and what people write for it. */
function isNo(value: unknown): boolean {
  return value === false || (typeof value === "string" && /^(false|no|off|none)$/i.test(value));
}

/** What Obsidian itself asks of its list of excluded files; it is in no published type. */
interface WithUserIgnore {
  isUserIgnored?(path: string): boolean;
}

function isUserIgnored(cache: ExclusionSources["metadataCache"], vaultPath: string): boolean {
  return (cache as WithUserIgnore).isUserIgnored?.(vaultPath) ?? false;
}
