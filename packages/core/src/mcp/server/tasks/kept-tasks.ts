import { type Share, Shares } from "../shares.ts";

/** How many UTF-16 units of results, as JSON, are kept for the tasks that began at one instance. */
const MAX_RESULTS = 1 << 26;

interface KeptTask {
  readonly principal: string | undefined;
  readonly count: Share;
  result: Share | undefined;
  readonly untilMs: number;
}

/** A task that may be kept. */
export interface NewTask {
  readonly taskId: string;
  readonly principal: string | undefined;
  /** When it expires. */
  readonly untilMs: number;
}

/** Limits the tasks that began at one instance, and their results, in equal shares among principals. */
export class KeptTasks {
  readonly #maxTasks: number;
  readonly #onevict: (taskId: string) => void;
  readonly #counts: Shares;
  readonly #results: Shares = new Shares(MAX_RESULTS);
  readonly #kept = new Map<string, KeptTask>();

  /** @param onevict called with each evicted task */
  constructor(maxTasks: number, onevict: (taskId: string) => void) {
    this.#maxTasks = maxTasks;
    this.#onevict = onevict;
    this.#counts = new Shares(maxTasks);
  }

  /**
   * Counts a task until it expires. Others are evicted for it: finished ones of the same principal, any of one that
   * has more. Returns false when its principal has used its share.
   */
  take({ taskId, principal, untilMs }: NewTask): boolean {
    if (this.#kept.size >= this.#maxTasks) this.#forgetOld();
    const count = this.#counts.take(principal, { evict: () => this.#evict(taskId) });
    if (count === undefined) return false;
    this.#kept.set(taskId, { principal, count, result: undefined, untilMs });
    return true;
  }

  /** Counts the result of a task in the same way. Returns false when it is too large to be kept. */
  takeResult(taskId: string, size: number): boolean {
    const kept = this.#kept.get(taskId);
    if (kept === undefined) return true;
    kept.result = this.#results.take(kept.principal, { evict: () => this.#evict(taskId) }, size);
    if (kept.result === undefined) return false;
    kept.result.isBusy = false;
    return true;
  }

  /** A task that has ended may be evicted for one of its own principal. */
  end(taskId: string): void {
    const kept = this.#kept.get(taskId);
    if (kept !== undefined) kept.count.isBusy = false;
  }

  /** Called when a task is no longer kept. */
  release(taskId: string): void {
    const kept = this.#kept.get(taskId);
    this.#kept.delete(taskId);
    kept?.count.release();
    kept?.result?.release();
  }

  #evict(taskId: string): void {
    this.release(taskId);
    this.#onevict(taskId);
  }

  #forgetOld(): void {
    const nowMs = Date.now();
    for (const [taskId, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.release(taskId);
  }
}
