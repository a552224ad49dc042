import type { Diagnostic } from "@idewire/core";
import { type CachedMetadata, type MetadataCache, parseYaml, type Vault } from "obsidian";
import { texts } from "../texts/index.ts";
import { checkNote } from "./check-note.ts";
import { decodeUrl, type NoteLink, type NoteScan, scanNote } from "./note-scan.ts";
import type { NoteText } from "./note-texts.ts";
import type { OpenEditors } from "./open-editors.ts";
import type { Grounds, VaultTargets } from "./vault-targets.ts";

/** In UTF-16 units: longer notes are not checked, since that would be noticed while typing. */
const MAX_LENGTH = 256 * 1024;

const START = { line: 0, character: 0 };

export interface NoteCheckerParts {
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  readonly targets: VaultTargets;
  readonly editors: OpenEditors;
  /** Whether Obsidian may have indexed an older text of this note. */
  readonly isBehind: (vaultPath: string) => boolean;
}

/** Checks texts of notes without reading from disk. */
export class NoteChecker {
  readonly #parts: NoteCheckerParts;

  constructor(parts: NoteCheckerParts) {
    this.#parts = parts;
  }

  /** Checks a note with this text. */
  check(
    path: string,
    { text, isSaved }: Pick<NoteText, "text" | "isSaved">,
    grounds?: Grounds,
  ): readonly Diagnostic[] {
    const { targets, editors } = this.#parts;
    if (text.length > MAX_LENGTH) return [this.#tooLong()];
    const scan = scanNote(text);
    const cache = isSaved ? this.#cacheOf(path) : undefined;
    const links = cache && indexedLinks(cache, text, scan);
    const known = links && cache?.frontmatter;
    const checks = {
      targets: targets.seenFrom(path, scan, grounds),
      parseYaml: known === undefined ? parseYaml : () => known,
    };
    return [...checkNote({ path, text, scan, links }, checks), ...editors.lintOf(path, text)];
  }

  #tooLong(): Diagnostic {
    const message = texts.diagnostics["too-long"](MAX_LENGTH);
    const range = { start: START, end: START };
    return { range, severity: "information", message, source: "obsidian", code: "too-long" };
  }

  /** The metadata of the text on disk, if it is up to date. */
  #cacheOf(path: string): CachedMetadata | undefined {
    const { vault, metadataCache, isBehind } = this.#parts;
    const file = vault.getFileByPath(path);
    if (file === null || isBehind(path)) return undefined;
    return metadataCache.getFileCache(file) ?? undefined;
  }
}

/** The links that Obsidian indexed, if they belong to this text. */
function indexedLinks(
  cache: CachedMetadata,
  text: string,
  scan: NoteScan,
): readonly NoteLink[] | undefined {
  const properties = scan.properties?.end ?? 0;
  const found = scan.links.filter(({ end }) => end <= properties);
  for (const isEmbed of [false, true]) {
    for (const { link, original, position } of (isEmbed ? cache.embeds : cache.links) ?? []) {
      const [start, end] = [position.start.offset, position.end.offset];
      if (text.slice(start, end) !== original) return undefined;
      const isMarkdown = !/^!?\[\[/.test(original);
      found.push({ link: isMarkdown ? decodeUrl(link) : link, isEmbed, isMarkdown, start, end });
    }
  }
  return found;
}
