import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Listening } from "./implementation.ts";

/** The commands for the reader process, which answers each with "done". */
export type ReaderCommand =
  | {
      readonly do: "connect";
      readonly listening: Pick<Listening, "url" | "headers">;
      readonly count: number;
      readonly neverReads: boolean;
    }
  /** Resets the count. */
  | { readonly do: "count" }
  /** Answered when so many messages have arrived. */
  | { readonly do: "await"; readonly total: number };

/** Clients of this process's server, in a separate process. */
export class Readers {
  readonly #process: ChildProcess;
  readonly #listening: Listening;

  constructor(listening: Listening) {
    this.#listening = listening;
    const module = fileURLToPath(new URL("./reader.js", import.meta.url));
    this.#process = fork(module, [], { execArgv: [] });
  }

  /** Connects so many more, and waits until all of them are ready. */
  async connect(count: number, { neverReads = false } = {}): Promise<void> {
    const { url, headers } = this.#listening;
    const before = this.#listening.readyCount;
    await this.#emit({ do: "connect", listening: { url, headers }, count, neverReads });
    while (this.#listening.readyCount < before + count) await sleep(20);
    await sleep(100);
  }

  count(): Promise<void> {
    return this.#emit({ do: "count" });
  }

  /** Waits until the clients have received so many messages in total since {@link Readers.count}. */
  received(total: number): Promise<void> {
    return this.#emit({ do: "await", total });
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async #emit(command: ReaderCommand): Promise<void> {
    const done = once(this.#process, "message");
    this.#process.send(command);
    await done;
  }
}
