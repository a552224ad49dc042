import {
  type EventStore,
  type StateCarrier,
  StateOutbox,
  type StreamInfo,
} from "@idewire/core/internal";
import { endWithCredential, maySend, type StreamAdmission } from "./admission.ts";
import type { HttpHeaders, Responder } from "./responder.ts";

/** How much of a stream a client may leave unread, in bytes. */
export const MAX_UNREAD: number = 1 << 22;
/** How long the stream of a request is kept after its newest event. */
export const STREAM_TTL_MS = 300_000;

/** Where the events of a stream are stored, so that its client can resume it. */
export interface StreamRecord {
  readonly events: EventStore;
  /** The key of the stream in the store. */
  readonly key: string;
  /** Its name in the ids of its events. */
  readonly name: string;
  readonly info: StreamInfo;
  /** Whether the client gets an id to resume by before the first event. */
  readonly primes: boolean;
  readonly onerror: (error: unknown) => void;
}

export interface EventStreamOptions {
  readonly record?: StreamRecord | undefined;
  /** The request that the stream answers. */
  readonly admission: StreamAdmission;
  readonly keepAliveMs: number;
}

/**
 * A stream of events on a response. With a record its events are stored first, so that the client can resume at
 * any instance; an event that cannot be stored is sent all the same, without an id.
 */
export class EventStream {
  readonly #record: StreamRecord | undefined;
  readonly #admission: StreamAdmission;
  /** Undefined once the client has left, or reads the stream elsewhere. */
  #responder: Responder | undefined;
  #isLeft = false;
  /** Resolves when all events so far are stored and written; undefined without a record. */
  #written: Promise<void> | undefined;
  #states: StateOutbox | undefined;

  constructor(
    responder: Responder,
    headers: HttpHeaders,
    { record, admission, keepAliveMs }: EventStreamOptions,
  ) {
    this.#responder = responder;
    this.#admission = admission;
    this.#record = record;
    responder.begin(headers);
    endWithCredential(admission, responder, keepAliveMs);
    if (record === undefined) return;
    const { events, key, info, primes, onerror } = record;
    responder.onClose(() => this.detach());
    this.#written = events.open(key, info, STREAM_TTL_MS).catch(onerror);
    if (primes) this.#append("", (id) => `${id}data:\n\n`);
  }

  /** Whether the client is connected to it. */
  get isOpen(): boolean {
    return this.#responder?.ended === false;
  }

  /** The name of a recorded stream. */
  get name(): string | undefined {
    return this.#record?.name;
  }

  /** @param state as in `HandleOptions` */
  push(frame: string, state?: string): void {
    if (!maySend(this.#admission, frame)) return;
    if (state === undefined) this.#append(frame, (id) => format(frame, id));
    else this.#outbox().send(state, frame);
  }

  /** Sends the last frame, if there is one, and ends. */
  finish(frame = ""): void {
    this.#append(frame, (id) => (frame === "" ? "" : format(frame, id)), true);
    this.#then(() => this.#responder?.end());
  }

  /** Ends the response; later events are stored until the client returns. */
  closeForReconnect(retryMs: number): void {
    this.#then(() => {
      this.#responder?.write(`retry: ${retryMs}\n\n`);
      this.#responder?.end();
    });
  }

  /** Sends a comment, so that intermediaries do not treat the stream as dead. */
  comment(): void {
    this.#responder?.write(":\n\n");
    if (this.#record === undefined) return;
    const { events, key, info, onerror } = this.#record;
    events.open(key, info, STREAM_TTL_MS).catch(onerror);
  }

  /** The client has left, or reads the stream elsewhere. */
  detach(): void {
    const responder = this.#responder;
    this.#responder = undefined;
    responder?.end();
  }

  /** Stores nothing more: the instance that continues the stream reports the losses. */
  leave(): void {
    this.#isLeft = true;
    this.detach();
  }

  /** Stores an event now, if there is a record, and writes it after those before it. */
  #append(frame: string, toText: (id: string) => string, ends = false): void {
    if (this.#isLeft) return;
    if (this.#record === undefined) {
      this.#write(toText(""));
      return;
    }
    const { events, key, name, onerror } = this.#record;
    const stored = events.append(key, { frame, ends }, STREAM_TTL_MS).catch(onerror);
    this.#written = this.#written?.then(async () => {
      const number = await stored;
      const id = typeof number === "number" ? `id: ${name}-${number}\n` : "";
      // An event with only an id is dropped without it.
      if (frame !== "" || id !== "") this.#write(toText(id));
    });
  }

  #write(text: string): void {
    const responder = this.#responder;
    if (responder === undefined || text === "") return;
    // A client that does not read would not receive the end either.
    if (responder.bufferedAmount > MAX_UNREAD) responder.destroy();
    else responder.write(text);
  }

  #then(act: () => void): void {
    if (this.#written === undefined) act();
    else this.#written = this.#written.then(act);
  }

  #outbox(): StateOutbox {
    if (this.#states === undefined) {
      const responder = this.#responder;
      const carrier: StateCarrier = {
        send: (frame) => this.push(frame),
        ondrain: undefined,
        get bufferedAmount() {
          return responder?.bufferedAmount ?? 0;
        },
      };
      responder?.onDrain(() => carrier.ondrain?.());
      this.#states = new StateOutbox(carrier);
    }
    return this.#states;
  }
}

/** Unformatted JSON contains no line break. */
function format(frame: string, id: string): string {
  return `event: message\n${id}data: ${frame}\n\n`;
}
