import { pause } from "@idewire/core/internal";
import { type Clock, IdewireError } from "@idewire/core/rpc";

/** The limit of concurrent answers, each of which needs a connection. */
const MAX_SENDING = 8;
/** The limit of queued answers; a server with more questions than that does not want them answered. */
const MAX_WAITING = 1_000;
const MAX_PER_SECOND = 200;
/** The start of the error's message when too many answers wait. */
export const TOO_MANY = "The server sends requests faster than they can be answered";

/**
 * The answers to a server's requests, of which there may be any number: limits how many are sent at a time, how
 * many wait, and their rate.
 */
export class AnswerQueue {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #sending = 0;
  /** Resolves at the end of the second in which answers are counted. */
  #second: Promise<void> | undefined;
  #sentInSecond = 0;

  /** @param signal ends everything that waits */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener("abort", () => {
      for (const start of this.#waiting.splice(0)) start();
    });
  }

  /**
   * Sends an answer in its turn, unless the signal has aborted.
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
