import { clearInterval, setInterval } from "node:timers";
import { IdewireError } from "@idewire/core/rpc";
import { claimFolder, type FolderClaim, type ResumeRecord, type RunState } from "./folder-claim.ts";

/** How often the record of a long run is renewed, before it expires after a day. */
const REFRESH_MS = 3_600_000;

export interface FolderClaimsOptions {
  /** The directory of the records. */
  readonly directory: string;
  /** Called when the state cannot be saved: this run is unaffected, but the next one gets another port. */
  readonly warn: (error: Error) => void;
}

/** The folders that an editor has claimed, through changes during its run. */
export class FolderClaims {
  readonly #options: FolderClaimsOptions;
  readonly #claims = new Map<string, FolderClaim>();
  /** The message of each folder's failure, until it succeeds. */
  readonly #failures = new Map<string, string>();
  #state: RunState | undefined;
  /** Records are written one after the other, so that the last state remains. */
  #writing: Promise<void> = Promise.resolve();
  /** The scheduled write; it writes the state at the time it begins. */
  #waiting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FolderClaimsOptions) {
    this.#options = options;
  }

  /** The record of the last run on the first folder. */
  get previous(): ResumeRecord | undefined {
    const [first] = this.#claims.values();
    return first?.previous;
  }

  /** @throws IdewireError `folder-in-use` when another process serves it */
  async add(folder: string): Promise<void> {
    if (this.#claims.has(folder)) return;
    try {
      const claim = await claimFolder(this.#options.directory, folder);
      this.#claims.set(folder, claim);
      if (this.#state !== undefined) await claim.record(this.#state);
    } catch (error) {
      if (!(error instanceof IdewireError) || error.code !== "file-system") throw error;
      this.#options.warn(error);
    }
  }

  has(folder: string): boolean {
    return this.#claims.has(folder);
  }

  /** Releases all folders except these. */
  async keepOnly(folders: readonly string[]): Promise<void> {
    for (const [folder, claim] of this.#claims) {
      if (folders.includes(folder)) continue;
      this.#claims.delete(folder);
      await this.#attempt(folder, () => claim.release());
      this.#failures.delete(folder);
    }
  }

  /** Records that this process serves them now, and where. */
  async record(state: RunState): Promise<void> {
    this.#state = state;
    await this.#write();
    this.#timer = setInterval(() => void this.#each((claim) => claim.refresh()), REFRESH_MS);
    this.#timer.unref();
  }

  /** Updates the record for the next run, in case this one is killed. */
  update(change: Partial<RunState>): void {
    if (this.#state === undefined) return;
    this.#state = { ...this.#state, ...change };
    void this.#write();
  }

  #write(): Promise<void> {
    this.#waiting ??= this.#writing.then(async () => {
      this.#waiting = undefined;
      const state = this.#state;
      if (state !== undefined) await this.#each((claim) => claim.record(state));
    });
    this.#writing = this.#waiting;
    return this.#writing;
  }

  /** Releases all folders; the next run may reuse the port. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    this.#state = undefined;
    await this.#writing;
    await this.#each((claim) => claim.release());
  }

  async #each(act: (claim: FolderClaim) => Promise<void>): Promise<void> {
    for (const [folder, claim] of this.#claims) await this.#attempt(folder, () => act(claim));
  }

  /** A failure that lasts, as on a full disk, is reported once. */
  async #attempt(folder: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#failures.delete(folder);
    } catch (error) {
      const { message } = error as Error;
      if (this.#failures.get(folder) !== message) this.#options.warn(error as Error);
      this.#failures.set(folder, message);
    }
  }
}
