import type { EventStore, StreamInfo } from "@idewire/core/internal";
import type { ExchangeStream } from "../http-exchange.ts";
import type { HttpHeaders, Responder } from "../responder.ts";

/** How long the stream of a request is kept after its newest event. */
const STREAM_TTL_MS = 300_000;

export interface SharedStreamOptions {
  readonly events: EventStore;
  /** The key of the stream in the store. */
  readonly key: string;
  /** Its name in the ids of its events. */
  readonly name: string;
  readonly info: StreamInfo;
  readonly responder: Responder;
  readonly headers: HttpHeaders;
  /** Whether the client learns an id to resume by before anything happens. */
  readonly primes: boolean;
  readonly onDrain: () => void;
  readonly onerror: (error: unknown) => void;
}

/**
 * The stream of a request: its events are stored first, so that the client can take the rest of them from
 * any instance. What cannot be stored is sent all the same, without an id.
 */
export class SharedStream implements ExchangeStream {
  readonly name: string;
  readonly #options: SharedStreamOptions;
  #responder: Responder | undefined;
  #isLeft = false;
  /** Resolves when all events so far are written. */
  #written: Promise<void>;

  constructor(options: SharedStreamOptions) {
    const { events, key, name, info, responder, headers, primes, onDrain } = options;
    this.name = name;
    this.#options = options;
    this.#responder = responder;
    responder.onDrain(onDrain);
    responder.onClose(() => this.detach());
    responder.begin(headers);
    this.#written = events.open(key, info, STREAM_TTL_MS).catch(options.onerror);
    if (primes) this.#append("", (id) => `${id}data:\n\n`);
  }

  get isOpen(): boolean {
    return this.#responder?.ended === false;
  }

  get waiting(): number {
    return this.#responder?.bufferedAmount ?? 0;
  }

  push(frame: string): void {
    this.#append(frame, (id) => `event: message\n${id}data: ${frame}\n\n`);
  }

  finish(frame: string): void {
    this.#append(frame, (id) => `event: message\n${id}data: ${frame}\n\n`, true);
    this.#then(() => this.#responder?.end());
  }

  complete(): void {
    this.#append("", () => "", true);
    this.#then(() => this.#responder?.end());
  }

  sendAway(retryMs: number): void {
    this.#then(() => {
      this.#responder?.write(`retry: ${retryMs}\n\n`);
      this.#responder?.end();
    });
  }

  comment(): void {
    this.#responder?.write(":\n\n");
    const { events, key, info, onerror } = this.#options;
    events.open(key, info, STREAM_TTL_MS).catch(onerror);
  }

  /** The client is away, or listens elsewhere. */
  detach(): void {
    const responder = this.#responder;
    this.#responder = undefined;
    responder?.end();
  }

  /** Stores nothing more: whoever carries the stream on tells what is lost. */
  leave(): void {
    this.#isLeft = true;
    this.detach();
  }

  /** Stores an event now, and writes it after those before it. */
  #append(frame: string, format: (id: string) => string, ends = false): void {
    if (this.#isLeft) return;
    const { events, key, name, onerror } = this.#options;
    const stored = events.append(key, { frame, ends }, STREAM_TTL_MS).catch(onerror);
    this.#written = this.#written.then(async () => {
      const number = await stored;
      const id = typeof number === "number" ? `id: ${name}-${number}\n` : "";
      const text = format(id);
      // An event that says nothing but its id is none without it.
      if (frame !== "" || id !== "") this.#responder?.write(text);
    });
  }

  #then(act: () => void): void {
    this.#written = this.#written.then(act);
  }
}
