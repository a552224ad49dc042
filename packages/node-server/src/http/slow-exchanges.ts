import { clearInterval, setInterval } from "node:timers";

/** A POST whose answer is still to come. */
export interface WaitingExchange {
  readonly isWaiting: boolean;
  /** Begins a stream of events, where the client takes one. */
  begin(): unknown;
}

/** A call that is not answered after a step, or two, gets a stream. */
const STEP_MS = 500;

/**
 * Makes streams of what takes its time: what is between us and the client sees that they live, and a
 * client of 2025-11-25 can return to them.
 */
export class SlowExchanges {
  readonly #timer: NodeJS.Timeout;
  #young = new Set<WaitingExchange>();
  #old = new Set<WaitingExchange>();

  constructor() {
    this.#timer = setInterval(() => this.#age(), STEP_MS);
    this.#timer.unref();
  }

  add(exchange: WaitingExchange): void {
    this.#young.add(exchange);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #age(): void {
    for (const exchange of this.#old) if (exchange.isWaiting) exchange.begin();
    this.#old = this.#young;
    this.#young = new Set();
  }
}
