import { StateOutbox } from "@idewire/core/internal";
import { accepts, type RequestHead } from "./request-head.ts";
import type { HttpHeaders, Responder } from "./responder.ts";

/** How much of a stream a client may leave unread, in bytes. */
const MAX_UNREAD = 1 << 22;
/** An answer that takes longer becomes a stream: what is between us and the client sees that it lives. */
const SLOW_MS = 500;

const json: HttpHeaders = { "content-type": "application/json" };

/** The answer to one POST: a JSON text, or a stream of events where something comes before it. */
export class HttpAnswer {
  readonly #responder: Responder;
  readonly #takesJson: boolean;
  readonly #takesEvents: boolean;
  #streams = false;
  #isOver = false;
  #states: StateOutbox | undefined;
  #left: AbortController | undefined;

  constructor(head: RequestHead, responder: Responder) {
    this.#responder = responder;
    this.#takesJson = accepts(head, "application/json");
    this.#takesEvents = accepts(head, "text/event-stream");
  }

  /** Aborted when the client leaves before it is answered. */
  get signal(): AbortSignal {
    if (this.#left === undefined) {
      const left = new AbortController();
      this.#left = left;
      this.#responder.onClose(() => {
        if (!this.#isOver) left.abort();
      });
    }
    return this.#left.signal;
  }

  /** Waits for what is to come: streams what is slow, and keeps the stream from being taken for dead. */
  wait(keepAliveMs: number): void {
    const slow = setTimeout(() => this.#begin(), SLOW_MS);
    const alive = setInterval(() => {
      if (this.#streams) this.#responder.write(":\n\n");
    }, keepAliveMs);
    this.#responder.onClose(() => {
      clearTimeout(slow);
      clearInterval(alive);
    });
  }

  /**
   * Sends what comes before the answer; a client that takes JSON alone does not hear of it.
   * @param state as in `HandleOptions`
   */
  send(frame: string, state?: string): void {
    this.#begin();
    if (!this.#streams) return;
    if (state === undefined) this.#write(frame);
    else this.#outbox().send(state, frame);
  }

  /** Sends the answer. */
  finish(status: number, text: string): void {
    if (!this.#takesJson) this.#begin();
    this.#isOver = true;
    if (this.#streams) {
      this.#write(text);
      this.#responder.end();
    } else {
      const retry = status === 503 && { "retry-after": "1" };
      this.#responder.answer(status, { ...retry, ...json }, text);
    }
  }

  /** Ends where nothing is to be said. */
  accept(): void {
    this.#isOver = true;
    if (this.#streams) this.#responder.end();
    else this.#responder.answer(202, {});
  }

  /** Ends without an answer. */
  abandon(): void {
    if (this.#streams) this.#responder.end();
    else this.#responder.answer(503, { "retry-after": "1" }, "The server ends\n");
  }

  #begin(): void {
    if (this.#streams || this.#isOver || !this.#takesEvents) return;
    this.#streams = true;
    this.#responder.begin({});
  }

  #write(frame: string): void {
    // A client that does not read would not take an end either.
    if (this.#responder.bufferedAmount > MAX_UNREAD) this.#responder.destroy();
    else this.#responder.write(`event: message\ndata: ${frame}\n\n`);
  }

  #outbox(): StateOutbox {
    if (this.#states === undefined) {
      const responder = this.#responder;
      const stream = {
        send: (frame: string) => this.#write(frame),
        ondrain: undefined as (() => void) | undefined,
        get bufferedAmount() {
          return responder.bufferedAmount;
        },
      };
      responder.onDrain(() => stream.ondrain?.());
      this.#states = new StateOutbox(stream);
    }
    return this.#states;
  }
}
