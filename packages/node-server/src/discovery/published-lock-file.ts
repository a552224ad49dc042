import { type FSWatcher, readFileSync, rmSync, watch } from "node:fs";
import { lstat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { writePrivateFile } from "../files/private-file.ts";
import { codeOf } from "../process/error-code.ts";

/**
 * How often the file is checked without a file system event, which is absent, for example, after its directory was
 * deleted.
 */
const CHECK_MS = 1_000;
/** The person is warned after this many restorations. */
const WARN_AFTER = 3;

export interface PublishedText {
  readonly path: string;
  readonly text: string;
  readonly warn: (error: Error) => void;
  readonly pauseMs: number;
  /** The environment variable by which editor and agent may choose another folder. */
  readonly movedBy: string | undefined;
}

/**
 * A published lock file. It is restored when it is deleted; a file of another program in its place is left alone.
 * Its publisher removes it.
 */
export class PublishedLockFile {
  readonly path: string;
  readonly #published: PublishedText;
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  #restorations = 0;
  #restoredAt: number = Number.NEGATIVE_INFINITY;
  #isRestoring = false;
  #isRemoved = false;
  #failure: string | undefined;

  constructor(published: PublishedText) {
    this.path = published.path;
    this.#published = published;
    this.#timer = setInterval(() => this.#check(), Math.min(CHECK_MS, published.pauseMs));
    this.#timer.unref();
    this.#watch();
  }

  /** Removes it if it is still ours; synchronous, so that it works during process exit. */
  remove(): void {
    this.stop();
    const { path, text } = this.#published;
    try {
      if (readFileSync(path, "utf8") === text) rmSync(path, { force: true });
    } catch {
      // It no longer exists, or the disk has failed: nothing can be removed.
    }
  }

  /** Stops restoring it, before another text replaces it. */
  stop(): void {
    this.#isRemoved = true;
    clearInterval(this.#timer);
    this.#watcher?.close();
  }

  #watch(): void {
    this.#watcher?.close();
    try {
      const name = basename(this.path);
      const onchange = (_: string, changed: string | null) => {
        if (changed === name || changed === null) this.#check();
      };
      this.#watcher = watch(dirname(this.path), { persistent: false }, onchange);
      // The checks of the timer remain.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined;
    }
  }

  #check(): void {
    if (performance.now() - this.#restoredAt < this.#published.pauseMs) return;
    if (this.#isRestoring) return;
    this.#isRestoring = true;
    void this.#restore().finally(() => {
      this.#isRestoring = false;
    });
  }

  async #restore(): Promise<void> {
    const { path, text, warn, movedBy } = this.#published;
    if (!(await isMissing(path)) || this.#isRemoved) return;
    this.#restoredAt = performance.now();
    try {
      await writePrivateFile(path, text, { onlyIfMissing: true, movedBy });
    } catch (error) {
      if (codeOf((error as Error).cause) !== "EEXIST") this.#fail(error as Error);
      return;
    }
    if (this.#isRemoved) return this.remove();
    this.#watch();
    this.#restorations += 1;
    if (this.#restorations === WARN_AFTER) warn(deletedRepeatedly(path, movedBy));
  }

  /** It is retried; the same failure is reported once. */
  #fail(error: Error): void {
    if (error.message === this.#failure) return;
    this.#failure = error.message;
    this.#published.warn(error);
  }
}

async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
}

function deletedRepeatedly(path: string, movedBy: string | undefined): IdewireError {
  const another =
    movedBy === undefined ? "" : `, or a directory of its own, which ${movedBy} names for both`;
  return new IdewireError(
    "file-system",
    `${path} was deleted ${WARN_AFTER} times and published again. An agent in a container that shares ${dirname(path)} does that: it does not see this process. Mount the directory read-only there (:ro)${another}`,
    { path },
  );
}
