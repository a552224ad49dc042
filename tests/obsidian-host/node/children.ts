import { type SpawnOptions, spawn } from "node:child_process";

/** The processes that a page has started, each with its group; whoever creates it closes it. */
export class Children {
  /** The exit code of each process, by its id. */
  readonly #ends = new Map<number, Promise<number | null>>();

  /** `start` returns the process once it runs, `exit` its code once it has ended. */
  readonly call = (name: unknown, ...args: readonly unknown[]): Promise<unknown> =>
    name === "start"
      ? this.#start(...(args as [string, readonly string[], SpawnOptions]))
      : (this.#ends.get(Number(args[0])) ?? Promise.resolve(null));

  /** Kills every process and waits for its end. */
  async close(): Promise<void> {
    for (const [pid, end] of this.#ends) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // The group has ended.
      }
      await end;
    }
  }

  #start(command: string, args: readonly string[], options: SpawnOptions): Promise<number> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { ...options, detached: true });
      child.once("error", reject);
      child.once("spawn", () => {
        const { pid = 0 } = child;
        this.#ends.set(pid, new Promise((ended) => child.once("exit", (code) => ended(code))));
        resolve(pid);
      });
    });
  }
}
