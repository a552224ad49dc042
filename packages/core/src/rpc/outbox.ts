import type { Transport } from "./transport.ts";

/** Above this much unsent, a state notification waits and the newest of its kind replaces it. */
const HIGH_WATER = 1 << 20;

/** What one end has to send, and how it copes with another end that reads slowly. */
export class Outbox {
  readonly #transport: Transport;
  readonly #maxBuffered: number;
  readonly #onoverflow: (waiting: number) => void;
  #held: Map<string, string> | undefined;

  /** @param onoverflow called instead of sending when more than `maxBuffered` waits already */
  constructor(transport: Transport, maxBuffered: number, onoverflow: (waiting: number) => void) {
    this.#transport = transport;
    this.#maxBuffered = maxBuffered;
    this.#onoverflow = onoverflow;
    transport.ondrain = () => this.#flush();
  }

  send(frame: string): void {
    const waiting = this.#transport.bufferedAmount;
    if (waiting > this.#maxBuffered) this.#onoverflow(waiting);
    else this.#transport.send(frame);
  }

  /** Sends a state; while the other end is slow only the newest frame of each key is kept. */
  sendState(key: string, frame: string): void {
    if (this.#held === undefined && this.#transport.bufferedAmount <= HIGH_WATER) {
      this.#transport.send(frame);
    } else {
      this.#held ??= new Map();
      this.#held.set(key, frame);
    }
  }

  /** Forgets what is held back. */
  discard(): void {
    this.#held = undefined;
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) for (const [key, frame] of held) this.sendState(key, frame);
  }
}
