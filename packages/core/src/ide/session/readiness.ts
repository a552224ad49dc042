import type { Clock } from "../../rpc/clock.ts";
import type { Transport } from "../../rpc/transport.ts";

/** An agent that answers a ping within this time is running. */
const PROMPT_MS = 100;
/** After this long without an answer the agent counts as ready, and again once it answers. */
const PATIENCE_MS = 5_000;
/** On a busy machine no answer may be prompt: after this many pings the agent counts as ready. */
const MAX_PROBES = 5;

export interface ReadinessOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** How long the agent has to run before it is ready for notifications. */
  readonly delayMs: number;
  /** Called when the agent is ready; a second time if the first call was for lack of an answer. */
  readonly onready: () => void;
}

/**
 * Determines when an agent is ready for notifications: `delayMs` of its own running time after it has
 * read the answer to its last list request, since a process that is suspended meanwhile has not set up
 * its handlers. The delay therefore begins and ends with a prompt answer to a ping. Without pings in
 * the transport, the clock alone decides.
 */
export class Readiness {
  readonly #options: ReadinessOptions;
  #timer: unknown;
  #silence: unknown;
  #round = 0;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Restarts the delay; to be called before the answer to a list request is sent. */
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
