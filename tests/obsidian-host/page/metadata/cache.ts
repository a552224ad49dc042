import type { CachedMetadata } from "obsidian";
import { channel } from "../bridge/channel.ts";
import { Events } from "../obsidian/events.ts";
import { type TAbstractFile, TFile } from "../vault/files.ts";
import { parentOf } from "../vault/paths.ts";
import type { Vault } from "../vault/vault.ts";
import { getLinkpath, iterateCacheRefs } from "./links.ts";
import { parseNote } from "./parse.ts";

type Counts = Record<string, Record<string, number>>;

/** The metadata of notes, and the links between them. */
export class MetadataCache extends Events {
  resolvedLinks: Counts = {};
  unresolvedLinks: Counts = {};
  /** Obsidian's own name for "everything has been read once". */
  initialized = false;
  readonly #vault: Vault;
  readonly #caches = new Map<string, CachedMetadata>();
  readonly #byName = new Map<string, Set<TFile>>();
  #emitting: number | undefined;
  #allAgain = false;

  constructor(vault: Vault) {
    super();
    this.#vault = vault;
    vault.on("create", (file: TAbstractFile) => this.#added(file));
    vault.on("modify", (file: TAbstractFile) => void this.#read(file));
    vault.on("delete", (file: TAbstractFile) => this.#deleted(file));
    vault.on("rename", (file: TAbstractFile, old: string) => this.#renamed(file, old));
  }

  async load(): Promise<void> {
    for (const file of this.#vault.getFiles()) this.#name(file);
    const notes = this.#vault.getMarkdownFiles();
    const texts = (await channel.call(
      "vault",
      "read",
      notes.map(({ path }) => path),
    )) as string[];
    for (const [index, { path }] of notes.entries()) {
      this.#caches.set(path, parseNote(texts[index] ?? ""));
    }
    for (const note of notes) this.#resolve(note);
    this.initialized = true;
    this.trigger("resolved");
  }

  getFileCache(file: TFile): CachedMetadata | null {
    return this.#caches.get(file.path) ?? null;
  }

  getCache(path: string): CachedMetadata | null {
    return this.#caches.get(path) ?? null;
  }

  /** Not declared, but plugins call it: whether the person has excluded a path from search. */
  isUserIgnored(path: string): boolean {
    const filters = (this.#vault.getConfig("userIgnoreFilters") as string[] | null) ?? [];
    return filters.some((filter) => {
      const [, pattern] = /^\/(.*)\/$/.exec(filter) ?? [];
      return pattern === undefined ? path.startsWith(filter) : new RegExp(pattern, "i").test(path);
    });
  }

  getFirstLinkpathDest(linkpath: string, sourcePath: string): TFile | null {
    if (linkpath === "") return this.#vault.getFileByPath(sourcePath);
    const folder = parentOf(sourcePath);
    const wanted = linkpath.replace(/^\//, "");
    const name = wanted.slice(wanted.lastIndexOf("/") + 1).toLowerCase();
    const found = [...(this.#byName.get(name) ?? []), ...(this.#byName.get(`${name}.md`) ?? [])];
    const lower = wanted.toLowerCase();
    const fitting = found.filter(({ path }) => {
      const own = path.toLowerCase();
      return [lower, `${lower}.md`].some((each) => own === each || own.endsWith(`/${each}`));
    });
    const rank = ({ path }: TFile) => {
      if ([lower, `${lower}.md`].includes(path.toLowerCase()) && wanted.includes("/")) return 0;
      return parentOf(path) === folder ? 1 : 2;
    };
    fitting.sort((a, b) => rank(a) - rank(b) || a.path.length - b.path.length);
    return fitting[0] ?? null;
  }

  fileToLinktext(file: TFile, sourcePath: string, omitMdExtension = true): string {
    const short = omitMdExtension && file.extension === "md" ? file.basename : file.name;
    if (this.getFirstLinkpathDest(short, sourcePath) === file) return short;
    return omitMdExtension && file.extension === "md" ? file.path.slice(0, -3) : file.path;
  }

  /** Paths that link to a file, with how often. */
  linkersTo(path: string): string[] {
    return Object.keys(this.resolvedLinks).filter((from) => this.resolvedLinks[from]?.[path]);
  }

  #name(file: TFile): void {
    const key = file.name.toLowerCase();
    this.#byName.set(key, (this.#byName.get(key) ?? new Set()).add(file));
  }

  #unname(file: TFile, name: string): void {
    this.#byName.get(name.toLowerCase())?.delete(file);
  }

  #added(file: TAbstractFile): void {
    if (!(file instanceof TFile)) return;
    this.#name(file);
    void this.#read(file);
    this.#resolveAll();
  }

  async #read(file: TAbstractFile): Promise<void> {
    if (!(file instanceof TFile) || file.extension !== "md") return;
    let text: string;
    try {
      text = await this.#vault.read(file);
    } catch {
      // It was deleted before it was read: the deletion is reported next.
      return;
    }
    const cache = parseNote(text);
    this.#caches.set(file.path, cache);
    this.trigger("changed", file, text, cache);
    this.#resolve(file);
    this.trigger("resolve", file);
    this.#emitResolved();
  }

  #deleted(file: TAbstractFile): void {
    if (!(file instanceof TFile)) return;
    const previous = this.#caches.get(file.path) ?? null;
    this.#unname(file, file.name);
    this.#caches.delete(file.path);
    delete this.resolvedLinks[file.path];
    delete this.unresolvedLinks[file.path];
    this.trigger("deleted", file, previous);
    this.#resolveAll();
  }

  #renamed(file: TAbstractFile, old: string): void {
    if (!(file instanceof TFile)) return;
    this.#unname(file, old.slice(old.lastIndexOf("/") + 1));
    this.#name(file);
    const cache = this.#caches.get(old);
    this.#caches.delete(old);
    delete this.resolvedLinks[old];
    delete this.unresolvedLinks[old];
    if (cache !== undefined) this.#caches.set(file.path, cache);
    this.#resolveAll();
  }

  #resolve(file: TFile): void {
    const resolved: Record<string, number> = {};
    const unresolved: Record<string, number> = {};
    const cache = this.#caches.get(file.path);
    if (cache === undefined) return;
    iterateCacheRefs(cache, ({ link }) => {
      const path = getLinkpath(link);
      const target = this.getFirstLinkpathDest(path, file.path);
      const [counts, key] = target === null ? [unresolved, path] : [resolved, target.path];
      counts[key] = (counts[key] ?? 0) + 1;
    });
    this.resolvedLinks[file.path] = resolved;
    this.unresolvedLinks[file.path] = unresolved;
  }

  /** Links of any note may point to a created or deleted one. */
  #resolveAll(): void {
    this.#allAgain = true;
    this.#emitResolved();
  }

  #emitResolved(): void {
    if (!this.initialized) return;
    window.clearTimeout(this.#emitting);
    this.#emitting = window.setTimeout(() => {
      if (this.#allAgain) for (const note of this.#vault.getMarkdownFiles()) this.#resolve(note);
      this.#allAgain = false;
      this.trigger("resolved");
    }, 10);
  }
}
