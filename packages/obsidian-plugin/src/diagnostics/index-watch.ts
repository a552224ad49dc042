import type { Component, MetadataCache, TAbstractFile, Vault } from "obsidian";

/** A file that is not indexed after this long is no longer waited for. */
const MAX_PENDING_MS = 2_000;

export interface IndexWatchParts {
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  /** Links or headings may have changed: in one note, or in any if undefined. */
  readonly onChange: (vaultPath: string | undefined) => void;
  /** Files were created, deleted or renamed. */
  readonly onFiles: () => void;
}

/** Tracks whether Obsidian has indexed the files that have changed on disk. */
export class IndexWatch {
  readonly #parts: IndexWatchParts;
  /** Changed files that are not indexed yet, with the time of the change. */
  readonly #pending = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  constructor(parts: IndexWatchParts) {
    this.#parts = parts;
  }

  /** Call it when the layout is ready: before that Obsidian reports each file of the vault. */
  open(component: Component): void {
    const { vault, metadataCache } = this.#parts;
    const changed = ({ path }: TAbstractFile) => {
      if (path.endsWith(".md")) this.#pending.set(path, Date.now());
    };
    const refs = [
      vault.on("modify", changed),
      vault.on("create", (file) => {
        changed(file);
        this.#filesChanged();
      }),
      vault.on("delete", ({ path }) => this.#forget(path)),
      vault.on("rename", (_file, oldPath) => this.#forget(oldPath)),
      metadataCache.on("changed", ({ path }) => {
        this.#pending.delete(path);
        this.#emit(path);
      }),
      metadataCache.on("resolved", () => this.#emit(undefined)),
    ];
    for (const ref of refs) component.registerEvent(ref);
  }

  /** Whether Obsidian may have indexed an older text of this note. */
  isBehind(vaultPath: string): boolean {
    const since = this.#pending.get(vaultPath);
    return since !== undefined && Date.now() - since < MAX_PENDING_MS;
  }

  /** Waits until the text of `mtimeMs` and all pending files are indexed, at most `timeoutMs`. */
  async caughtUp(vaultPath: string, mtimeMs: number, timeoutMs: number): Promise<void> {
    const endMs = Date.now() + timeoutMs;
    while (Date.now() < endMs && !this.#isCaughtUp(vaultPath, mtimeMs)) {
      await this.#nextChange(endMs - Date.now());
    }
  }

  close(): void {
    this.#wake();
  }

  #isCaughtUp(vaultPath: string, mtimeMs: number): boolean {
    const known = this.#parts.vault.getFileByPath(vaultPath)?.stat.mtime;
    if (known === undefined || known < Math.floor(mtimeMs)) return false;
    return ![...this.#pending.keys()].some((path) => this.isBehind(path));
  }

  #nextChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        window.clearTimeout(timer);
        this.#waiting.delete(finish);
        resolve();
      };
      const timer = window.setTimeout(finish, timeoutMs);
      this.#waiting.add(finish);
    });
  }

  #forget(path: string): void {
    this.#pending.delete(path);
    this.#filesChanged();
  }

  #filesChanged(): void {
    this.#parts.onFiles();
    this.#emit(undefined);
  }

  #emit(path: string | undefined): void {
    this.#wake();
    this.#parts.onChange(path);
  }

  #wake(): void {
    for (const finish of [...this.#waiting]) finish();
  }
}
