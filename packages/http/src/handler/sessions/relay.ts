import type { MessageBus, SessionState } from "@idewire/core/internal";

const TOPIC = "sessions";
/** How long an instance may take to confirm that it waits for a message. */
const TIMEOUT_MS = 3000;

/** An order between instances about a session. */
export interface SessionOrder {
  readonly session: string;
  /** A message of its client, for the instance that waits for it. */
  readonly message?: unknown;
  /** The session's new state. */
  readonly state?: SessionState;
  /** A stream with the answers to a POST that runs elsewhere, for the instance whose client waits for them. */
  readonly begun?: string;
  /** The state as a POST that runs elsewhere has changed it, for the instance that keeps the state. */
  readonly change?: { readonly before: SessionState | undefined; readonly mine: SessionState };
  /** The stream that its client now reads by another response, and the instance with that response. */
  readonly moved?: { readonly stream: string; readonly to: string };
  readonly ended?: boolean;
}

interface Sent {
  readonly from: string;
  /** Set where an answer is wanted. */
  readonly number?: number;
  readonly order?: SessionOrder;
  /** The instance whose order with this number was accepted. */
  readonly taken?: string;
}

/** Executes an order; resolves to whether it was awaited here; never rejects. */
type Take = (order: SessionOrder) => boolean | Promise<boolean>;

/** Delivers orders between instances, and within this one. */
export class Relay {
  /** The name of this instance, from its first use on. */
  #instance: string | undefined;
  readonly #bus: MessageBus;
  readonly #take: Take;
  readonly #onerror: (error: unknown) => void;
  readonly #waiting = new Map<number, () => void>();
  #count = 0;
  #stop: (() => Promise<void>) | undefined;
  #isClosed = false;

  /** @param take executes an order here; returns whether it was awaited */
  constructor(bus: MessageBus, take: Take, onerror: (error: unknown) => void) {
    this.#bus = bus;
    this.#take = take;
    this.#onerror = onerror;
    bus
      .subscribe(TOPIC, (text) => this.#receive(JSON.parse(text) as Sent))
      .then((stop) => {
        this.#stop = stop;
        if (this.#isClosed) void stop();
      })
      .catch(onerror);
  }

  /** Sends an order to all instances, this one first. */
  async broadcast(order: SessionOrder): Promise<void> {
    void this.#take(order);
    await this.#send({ from: this.#name, order });
  }

  /**
   * Sends all instances an order that one of them waits for. Resolves to true when an instance has confirmed it,
   * or no other may be waiting; to false when no confirmation arrived: it may still have been executed.
   */
  async deliver(order: SessionOrder): Promise<boolean> {
    const own = this.#take(order);
    if (own !== false) return own;
    const number = ++this.#count;
    const taken = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
      this.#waiting.set(number, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
    try {
      const receivers = await this.#send({ from: this.#name, number, order });
      return receivers === 1 || (await taken);
    } finally {
      this.#waiting.delete(number);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stop?.().catch(this.#onerror);
  }

  get #name(): string {
    this.#instance ??= crypto.randomUUID();
    return this.#instance;
  }

  #receive({ from, number, order, taken }: Sent): void {
    if (taken === this.#name && number !== undefined) this.#waiting.get(number)?.();
    if (order === undefined || from === this.#name || this.#isClosed) return;
    const isTaken = this.#take(order);
    if (number === undefined || isTaken === false) return;
    const confirm = () => this.#send({ from: this.#name, number, taken: from });
    Promise.resolve(isTaken)
      .then((isDone) => (isDone ? confirm() : undefined))
      .catch(this.#onerror);
  }

  #send(sent: Sent): Promise<number | undefined> {
    return this.#bus.publish(TOPIC, JSON.stringify(sent));
  }
}
