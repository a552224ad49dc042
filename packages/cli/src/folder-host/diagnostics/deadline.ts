import { clearTimeout, setTimeout } from "node:timers";

/** Waits for work up to a deadline; leaves no timer behind. */
export class DeadlineTimers {
  readonly #pending = new Map<ReturnType<typeof setTimeout>, () => void>();

  /** Resolves when the work is done or the time is up, whichever is first. */
  within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#pending.delete(timer);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#pending.set(timer, finish);
      work.then(finish, finish);
    });
  }

  close(): void {
    for (const finish of [...this.#pending.values()]) finish();
  }
}
