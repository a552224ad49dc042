import type { Transport } from "./transport.ts";

/** Above this `bufferedAmount` states are held, and newer ones replace them. */
const HIGH_WATER = 1_048_576;

/**
 * Sends state notifications to an end that may read slowly: then only the newest frame of each key is
 * held, and may arrive after frames that are sent later. It sets the transport's `ondrain`.
 */
export class StateOutbox {
  readonly #transport: Transport;
  #held: Map<string, string> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.ondrain = () => this.#flush();
  }

  send(key: string, frame: string): void {
    if (this.#held === undefined && this.#transport.bufferedAmount <= HIGH_WATER) {
      this.#transport.send(frame);
    } else {
      this.#held ??= new Map();
      this.#held.set(key, frame);
    }
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) for (const [key, frame] of held) this.send(key, frame);
  }
}
