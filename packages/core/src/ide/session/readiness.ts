import type { Clock } from "../../rpc/clock.ts";
import type { Transport } from "../../rpc/transport.ts";

/** An agent that answers a ping within this time is running. */
const PROMPT_MS = 100;
/** After this long without an answer the agent counts as ready, and again once it answers. */
const ANSWER_TIMEOUT_MS = 5_000;
/** On a busy machine no answer may be prompt: after this many pings the agent counts as ready. */
const MAX_PROBES = 5;
/** How often requests restart the delay before it has passed once. */
const MAX_STARTS = 8;

export interface ReadinessOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** How long the agent has to run before it is ready for notifications. */
  readonly delayMs: number;
  /**
   * Called when the agent is ready; a second time if the first call was for lack of an answer.
   * @param isLast not called again, unless the delay is restarted
   */
  readonly onready: (isLast: boolean) => void;
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
  /** How often the delay has started since one was over. */
  #starts = 0;
  /** Whether a ping at the start of the delay is unanswered. */
  #isProbing = false;
  /** Whether a list request has arrived for which the delay has to start again. */
  #isStale = false;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /**
   * Restarts the delay; to be called before the answer to a list request is sent. It restarts once the
   * unanswered ping is answered, if there is one, and in a burst of requests at its own end.
   */
  begin(): void {
    this.#isStale = true;
    if (!this.#isProbing && this.#starts < MAX_STARTS) this.#start();
  }

  stop(): void {
    this.#cancel();
    this.#isProbing = false;
    this.#starts = 0;
  }

  #cancel(): void {
    const { clock } = this.#options;
    this.#round += 1;
    clock.clearTimeout(this.#timer);
    clock.clearTimeout(this.#silence);
  }

  /** Pings behind the answer that is about to be sent. */
  #start(): void {
    const { transport, onready } = this.#options;
    this.#cancel();
    this.#starts += 1;
    this.#isStale = false;
    this.#isProbing = transport.ping !== undefined;
    const round = this.#round;
    if (this.#isProbing) queueMicrotask(() => this.#probe(round, 0));
    else this.#wait(() => onready(true));
  }

  #probe(round: number, probes: number): void {
    if (round !== this.#round) return;
    const { transport, clock, onready } = this.#options;
    let isPrompt = true;
    this.#silence = clock.setTimeout(() => {
      isPrompt = false;
      this.#silence = clock.setTimeout(() => {
        this.#isProbing = false;
        this.#starts = 0;
        onready(false);
      }, ANSWER_TIMEOUT_MS - PROMPT_MS);
    }, PROMPT_MS);
    transport.ping?.(() => {
      if (round !== this.#round) return;
      clock.clearTimeout(this.#silence);
      this.#isProbing = false;
      if (this.#isStale && this.#starts < MAX_STARTS) this.#start();
      else if (probes > 0 && (isPrompt || probes === MAX_PROBES)) onready(true);
      else this.#wait(() => this.#probe(round, probes + 1));
    });
  }

  /** Goes on after the delay, unless it has to start again. */
  #wait(next: () => void): void {
    const { clock, delayMs } = this.#options;
    this.#timer = clock.setTimeout(() => {
      this.#starts = 0;
      if (this.#isStale) this.#start();
      else next();
    }, delayMs);
  }
}
