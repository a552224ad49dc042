import { randomUUID } from "node:crypto";
import { clearTimeout, setTimeout } from "node:timers";
import type { MessageBus, SessionState } from "@idewire/core/internal";

const TOPIC = "sessions";
/** How long whoever waits for a message may take to say so. */
const PATIENCE_MS = 3000;

/** What instances tell each other of a session. */
export interface SessionOrder {
  readonly session: string;
  /** A message of its client, for whoever waits for it. */
  readonly message?: unknown;
  /** What has become of it. */
  readonly state?: SessionState;
  /** The stream that its client listens to now by another response, and who has that. */
  readonly moved?: { readonly stream: string; readonly to: string };
  readonly ended?: boolean;
}

interface Sent {
  readonly from: string;
  /** Set where an answer is wanted. */
  readonly number?: number;
  readonly order?: SessionOrder;
  /** The instance whose order of the number has been taken. */
  readonly taken?: string;
}

/** Passes orders on between instances, and within this one. */
export class Relay {
  /** The name of this instance. */
  readonly instance: string = randomUUID();
  readonly #bus: MessageBus;
  readonly #take: (order: SessionOrder) => boolean;
  readonly #onerror: (error: unknown) => void;
  readonly #waiting = new Map<number, () => void>();
  #count = 0;
  #stop: (() => Promise<void>) | undefined;
  #isClosed = false;

  /** @param take acts on an order here; returns whether it was awaited */
  constructor(
    bus: MessageBus,
    take: (order: SessionOrder) => boolean,
    onerror: (error: unknown) => void,
  ) {
    this.#bus = bus;
    this.#take = take;
    this.#onerror = onerror;
    bus
      .subscribe(TOPIC, (text) => this.#hear(JSON.parse(text) as Sent))
      .then((stop) => {
        this.#stop = stop;
        if (this.#isClosed) void stop();
      })
      .catch(onerror);
  }

  /** Tells all instances, this one first. */
  async tell(order: SessionOrder): Promise<void> {
    this.#take(order);
    await this.#send({ from: this.instance, order });
  }

  /**
   * Tells all instances what one of them waits for; resolves to whether that has taken it. If it has not
   * been heard to, it may have.
   */
  async deliver(order: SessionOrder): Promise<boolean> {
    if (this.#take(order)) return true;
    const number = ++this.#count;
    const taken = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE_MS);
      this.#waiting.set(number, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    try {
      await this.#send({ from: this.instance, number, order });
      return await taken;
    } finally {
      this.#waiting.delete(number);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.().catch(this.#onerror);
  }

  #hear({ from, number, order, taken }: Sent): void {
    if (taken === this.instance && number !== undefined) this.#waiting.get(number)?.();
    if (order === undefined || from === this.instance || this.#isClosed) return;
    if (!this.#take(order) || number === undefined) return;
    this.#send({ from: this.instance, number, taken: from }).catch(this.#onerror);
  }

  #send(sent: Sent): Promise<void> {
    return this.#bus.publish(TOPIC, JSON.stringify(sent));
  }
}
