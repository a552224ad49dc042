import { baseName } from "@idewire/core";
import {
  type CachedMetadata,
  type MetadataCache,
  type Pos,
  parseLinktext,
  resolveSubpath,
  stripHeading,
  type TFile,
  type Vault,
} from "obsidian";
import type { LinkTargets } from "./link-check.ts";
import type { NoteScan } from "./note-scan.ts";

/** The dependencies of resolving links. */
export interface VaultTargetsParts {
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  /** Whether a note is never shared. */
  readonly isExcluded: (vaultPath: string) => boolean;
}

/** The dependencies of a note's findings besides its text. */
export interface Grounds {
  /** The targets of its links. */
  readonly targets: Set<string>;
  /** False if the findings depend on the exclusions: no event reports changes of these. */
  isLasting: boolean;
}

/** Resolves links as Obsidian does. */
export class VaultTargets {
  readonly #parts: VaultTargetsParts;
  /** Files by their lower-case name, notes without `.md`. */
  #names: ReadonlyMap<string, readonly TFile[]> | undefined;

  constructor(parts: VaultTargetsParts) {
    this.#parts = parts;
  }

  /** Call it after files were created, deleted or renamed, or to free memory. */
  forget(): void {
    this.#names = undefined;
  }

  /** Headings and blocks of the note itself come from the checked text, not from the index. */
  seenFrom(path: string, scan: NoteScan, grounds?: Grounds): LinkTargets {
    const own = toCache(scan);
    const isHidden = (target: string) => {
      if (grounds !== undefined) grounds.isLasting = false;
      return this.#parts.isExcluded(target);
    };
    return {
      parse: parseLinktext,
      isHidden,
      find: (linkPath, from) => {
        if (linkPath === "") return { path: from, others: 0 };
        const file = this.#fileOf(linkPath, from);
        if (file === undefined) return undefined;
        grounds?.targets.add(file.path);
        const others = this.#othersOf(linkPath, file).filter((other) => !isHidden(other.path));
        return { path: file.path, others: others.length };
      },
      subpath: (target, subpath) =>
        findSubpath(target === path ? own : this.#cacheOf(target), subpath),
    };
  }

  #fileOf(linkPath: string, from: string): TFile | undefined {
    const { vault, metadataCache } = this.#parts;
    const found = metadataCache.getFirstLinkpathDest(linkPath, from);
    if (found !== null) return found;
    const relative = joinPath(from.split("/").slice(0, -1), linkPath);
    return vault.getFileByPath(relative) ?? vault.getFileByPath(`${relative}.md`) ?? undefined;
  }

  /** The other files that a link could mean. */
  #othersOf(linkPath: string, { path }: TFile): readonly TFile[] {
    const wanted = nameOf(linkPath);
    // A full or relative path is unambiguous.
    if (/^\.{0,2}\//.test(linkPath) || wanted === nameOf(path)) return [];
    const name = baseName(wanted);
    return this.#namesakes(name).filter((file) => {
      return file.path !== path && `/${nameOf(file.path)}`.endsWith(`/${wanted}`);
    });
  }

  #namesakes(name: string): readonly TFile[] {
    this.#names ??= byName(this.#parts.vault.getFiles());
    return this.#names.get(name) ?? [];
  }

  #cacheOf(path: string): CachedMetadata | undefined {
    const file = this.#parts.vault.getFileByPath(path);
    return (file && this.#parts.metadataCache.getFileCache(file)) ?? undefined;
  }
}

function byName(files: readonly TFile[]): ReadonlyMap<string, readonly TFile[]> {
  const names = new Map<string, TFile[]>();
  for (const file of files) {
    const name = nameOf(file.name);
    const same = names.get(name);
    if (same === undefined) names.set(name, [file]);
    else same.push(file);
  }
  return names;
}

/** Name for comparison as in Obsidian: without `.md`, ignoring case. */
function nameOf(path: string): string {
  return path.replace(/\.md$/i, "").toLowerCase();
}

function joinPath(folder: readonly string[], path: string): string {
  const parts = path.startsWith("/") ? [] : [...folder];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function findSubpath(
  cache: CachedMetadata | undefined,
  subpath: string,
): "one" | "several" | "none" | undefined {
  // Obsidian does not resolve links to footnotes.
  if (cache === undefined || subpath.startsWith("#[^")) return undefined;
  const found = resolveSubpath(cache, subpath);
  if (found === null) return "none";
  if (found.type !== "heading") return "one";
  const wanted = keyOf(found.current.heading);
  const same = cache.headings?.filter(({ heading }) => keyOf(heading) === wanted) ?? [];
  // In `#Chapter#Heading` the chapter identifies the heading.
  const isPath = subpath.indexOf("#", 1) !== -1;
  return same.length > 1 && !isPath ? "several" : "one";
}

function keyOf(heading: string): string {
  return stripHeading(heading).toLowerCase();
}

const NOWHERE: Pos = {
  start: { line: 0, col: 0, offset: 0 },
  end: { line: 0, col: 0, offset: 0 },
};

/** A metadata cache with what Obsidian's functions need to find a heading or block. */
function toCache({ headings, blockIds }: NoteScan): CachedMetadata {
  return {
    headings: headings.map(({ heading, level }) => ({ heading, level, position: NOWHERE })),
    blocks: Object.fromEntries(
      blockIds.map(({ name }) => [name.toLowerCase(), { id: name, position: NOWHERE }]),
    ),
  };
}
