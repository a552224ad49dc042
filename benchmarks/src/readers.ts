import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Listening } from "./implementation.ts";

/** What the reader process is told; it answers each with "done". */
export type ReaderCommand =
  | {
      readonly do: "connect";
      readonly listening: Pick<Listening, "url" | "headers">;
      readonly count: number;
      readonly neverReads: boolean;
    }
  /** Counts from nothing. */
  | { readonly do: "count" }
  /** Answers when so many messages have come. */
  | { readonly do: "await"; readonly total: number };

/** Clients of a server of this process, in a process of their own. */
export class Readers {
  readonly #process: ChildProcess;
  readonly #listening: Listening;

  constructor(listening: Listening) {
    this.#listening = listening;
    const module = fileURLToPath(new URL("./reader.js", import.meta.url));
    this.#process = fork(module, [], { execArgv: [] });
  }

  /** Connects so many more, and waits until the server has them all ready. */
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

  /** Waits until the clients have had so many messages together since {@link Readers.count}. */
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
