import type { Clock } from "../../rpc/clock.ts";
import type { Transport } from "../../rpc/transport.ts";

/** Who answers a ping within this time runs now. */
const PROMPT_MS = 100;
/** Who reads nothing for this long is told all the same; and again when he reads. */
const PATIENCE_MS = 5_000;
/** A machine may be so busy that nothing is prompt on it. */
const MAX_PROBES = 5;

export interface ReadinessOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** How long an agent has to run before it hears. */
  readonly delayMs: number;
  /** Called again when the agent was silent when it was called first. */
  readonly onready: () => void;
}

/**
 * Finds out when an agent hears notifications: some time after it has read the answer to its last
 * list. The time is its own: one that the system stops meanwhile has not put its handlers in place,
 * so that it begins with a sign of life, and has to end with one. Where the transport has no such
 * signs the clock alone decides.
 */
export class Readiness {
  readonly #options: ReadinessOptions;
  #timer: unknown;
  #silence: unknown;
  #round = 0;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Begins anew. To be called before the answer is sent to what delays the agent. */
  begin(): void {
    this.stop();
    const { transport, clock, delayMs, onready } = this.#options;
    const round = this.#round;
    if (transport.ping === undefined) this.#timer = clock.setTimeout(onready, delayMs);
    else queueMicrotask(() => this.#probe(round, 0));
  }

  stop(): void {
    const { clock } = this.#options;
    this.#round += 1;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#silence);
  }

  #probe(round: number, probes: number): void {
    if (round !== this.#round) return;
    const { transport, clock, delayMs, onready } = this.#options;
    let isPrompt = true;
    this.#silence = clock.setTimeout(() => {
      isPrompt = false;
      this.#silence = clock.setTimeout(onready, PATIENCE_MS - PROMPT_MS);
    }, PROMPT_MS);
    transport.ping?.(() => {
      if (round !== this.#round) return;
      clock.clearTimeout(this.#silence);
      if (probes > 0 && (isPrompt || probes === MAX_PROBES)) onready();
      else this.#timer = clock.setTimeout(() => this.#probe(round, probes + 1), delayMs);
    });
  }
}
