import { type Clock, IdewireError } from "@idewire/core/rpc";
import { pause } from "./pause.ts";

/** The limit of concurrent answers, each of which needs a connection. */
const MAX_SENDING = 8;
/** How many wait; a server with more questions than that does not want them answered. */
const MAX_WAITING = 1_000;
const MAX_PER_SECOND = 200;
/** How the error of one answer too many begins. */
export const TOO_MANY = "The server sends requests faster than they can be answered";

/** The answers to requests of a server, which may be any number: bounded at once, in number and in rate. */
export class AnswerQueue {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #sending = 0;
  /** Resolves when the second that answers are counted in has ended. */
  #second: Promise<void> | undefined;
  #sentInSecond = 0;

  /** @param signal ends all that waits */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      for (const start of this.#waiting.splice(0)) start();
    });
  }

  /**
   * Sends an answer in its turn; not at all once the signal has aborted.
   * @throws IdewireError `protocol` when too many wait; what `send` throws
   */
  async run(send: () => Promise<void>): Promise<void> {
    if (this.#sending === MAX_SENDING) {
      if (this.#waiting.length === MAX_WAITING) {
        throw new IdewireError("protocol", `${TOO_MANY}: ${MAX_WAITING} wait`);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#sending += 1;
    try {
      await this.#keepRate();
      if (!this.#signal.aborted) await send();
    } finally {
      // The next one takes this one's place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#sending -= 1;
      else next();
    }
  }

  async #keepRate(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#second ??= pause(this.#clock, 1_000, this.#signal).then(() => {
        this.#second = undefined;
        this.#sentInSecond = 0;
      });
      if (this.#sentInSecond < MAX_PER_SECOND) break;
      await this.#second;
    }
    this.#sentInSecond += 1;
  }
}
