import type { RequestId } from "./message.ts";
import type { Transport } from "./transport.ts";

/** Above this `bufferedAmount` states are held, and newer ones replace them. */
const HIGH_WATER = 1_048_576;

interface HeldState {
  readonly frame: string;
  readonly about: RequestId | undefined;
}

/** The carrier of the frames: a transport, or one of several streams. */
export type StateCarrier = Pick<Transport, "send" | "ondrain" | "bufferedAmount">;

/**
 * Sends state notifications to an end that may read slowly: then only the newest frame of each key is
 * held, and may arrive after frames that are sent later. It sets the transport's `ondrain`.
 */
export class StateOutbox {
  readonly #transport: StateCarrier;
  #held: Map<string, HeldState> | undefined;

  constructor(transport: StateCarrier) {
    this.#transport = transport;
    transport.ondrain = () => this.#flush();
  }

  /** @param about the request of the other end that the state is sent for */
  send(key: string, frame: string, about?: RequestId): void {
    if (this.#held === undefined && this.#transport.bufferedAmount <= HIGH_WATER) {
      this.#transport.send(frame, about);
    } else {
      this.#held ??= new Map();
      this.#held.set(key, { frame, about });
    }
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const [key, { frame, about }] of held ?? []) this.send(key, frame, about);
  }
}
