import type { Clock } from "../../rpc/clock.ts";
import type { Transport } from "../../rpc/transport.ts";

/** An agent that answers a ping within this time is running. */
const PROMPT_MS = 100;
/** After this long without an answer the agent counts as ready, and again once it answers. */
const ANSWER_TIMEOUT_MS = 5_000;
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
  /** Whether a ping at the start of the delay is unanswered. */
  #isProbing = false;
  /** Whether the delay has to start again once that ping is answered. */
  #restarts = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /**
   * Restarts the delay; to be called before the answer to a list request is sent. Requests that arrive
   * while a ping is unanswered share the next one.
   */
  begin(): void {
    if (this.#isProbing) {
      this.#restarts = true;
      return;
    }
    this.stop();
    const { transport, clock, delayMs, onready } = this.#options;
    if (transport.ping === undefined) this.#timer = clock.setTimeout(onready, delayMs);
    else this.#start();
  }

  stop(): void {
    const { clock } = this.#options;
    this.#round += 1;
    this.#isProbing = false;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#silence);
  }

  /** Pings behind the answer that is about to be sent. */
  #start(): void {
    const round = this.#round;
    this.#isProbing = true;
    this.#restarts = false;
    queueMicrotask(() => this.#probe(round, 0));
  }

  #probe(round: number, probes: number): void {
    if (round !== this.#round) return;
    const { transport, clock, delayMs, onready } = this.#options;
    let isPrompt = true;
    this.#silence = clock.setTimeout(() => {
      isPrompt = false;
      this.#silence = clock.setTimeout(() => {
        this.#isProbing = false;
        onready();
      }, ANSWER_TIMEOUT_MS - PROMPT_MS);
    }, PROMPT_MS);
    transport.ping?.(() => {
      if (round !== this.#round) return;
      clock.clearTimeout(this.#silence);
      if (this.#isProbing && this.#restarts) return this.#start();
      this.#isProbing = false;
      if (probes > 0 && (isPrompt || probes === MAX_PROBES)) onready();
      else this.#timer = clock.setTimeout(() => this.#probe(round, probes + 1), delayMs);
    });
  }
}
