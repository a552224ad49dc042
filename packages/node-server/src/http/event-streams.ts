import type { ExchangeStream } from "./http-exchange.ts";
import type { HttpHeaders, Responder } from "./responder.ts";

/** One stream of a session: of a POST, or that of a GET. It outlives the response that carries it. */
export interface EventStream {
  readonly number: number;
  /** The response that carries it now; undefined while the client is away. */
  responder: Responder | undefined;
  /** The place of its newest event, from 1; 0 before the first. */
  last: number;
  /** The place of the newest event that is no longer kept. */
  dropped: number;
  /** Whether nothing more will come. */
  complete: boolean;
}

interface KeptEvent {
  readonly stream: EventStream;
  readonly place: number;
  readonly frame: string;
}

export interface EventStreamsOptions {
  /** Tells the ids of this session from those of others. */
  readonly tag: string;
  /** How many UTF-16 units of events are kept at most. */
  readonly maxSize: number;
  /** Called when a client has taken what a stream had for it. */
  readonly onDrain: () => void;
}

/** Counted for each event beside its text. */
const EVENT_SIZE = 100;
/** The part of what may be kept that is left when there was too much. */
const LEFT = 0.75;

/**
 * The streams of one session. Each event has an id that names its stream, and the newest events are
 * kept, so that a client that was cut off is sent what it has missed (MCP 2025-11-25, Transports /
 * Resumability and Redelivery).
 */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #streams = new Map<number, EventStream>();
  #kept: KeptEvent[] = [];
  #size = 0;
  #count = 0;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
  }

  /** Begins a stream. With `primes`, the client learns an id to resume by before anything happens. */
  open(responder: Responder, headers: HttpHeaders, primes: boolean): EventStream {
    const number = this.#count++;
    const stream: EventStream = {
      number,
      responder: undefined,
      last: 0,
      dropped: 0,
      complete: false,
    };
    this.#streams.set(number, stream);
    this.#attach(stream, responder);
    responder.begin(headers);
    if (primes) responder.write(`id: ${this.#idOf(stream, 0)}\ndata:\n\n`);
    return stream;
  }

  /** Sends an event, or keeps it for the client's return. */
  push(stream: EventStream, frame: string): void {
    stream.last += 1;
    stream.responder?.write(this.#format(stream, stream.last, frame));
    this.#kept.push({ stream, place: stream.last, frame });
    this.#size += frame.length + EVENT_SIZE;
    this.#trim();
  }

  /** Ends a stream after its last event. */
  complete(stream: EventStream): void {
    stream.complete = true;
    stream.responder?.end();
    stream.responder = undefined;
    if (stream.dropped === stream.last) this.#streams.delete(stream.number);
  }

  /** The stream that an id of an event names; undefined when it is unknown, or no longer kept whole. */
  find(lastEventId: string): { readonly stream: EventStream; readonly place: number } | undefined {
    const [, tag, number, digits] = /^([^-]+)-(\d{1,12})-(\d{1,12})$/.exec(lastEventId) ?? [];
    const stream = tag === this.#options.tag ? this.#streams.get(Number(number)) : undefined;
    const place = Number(digits);
    const isKept = stream !== undefined && place >= stream.dropped && place <= stream.last;
    return isKept ? { stream, place } : undefined;
  }

  /** Goes on with a stream after a place, on the response to a GET. */
  resume(stream: EventStream, place: number, responder: Responder): void {
    stream.responder?.end();
    this.#attach(stream, responder);
    for (const event of this.#kept) {
      if (event.stream === stream && event.place > place) {
        responder.write(this.#format(stream, event.place, event.frame));
      }
    }
    if (stream.complete) this.complete(stream);
  }

  #attach(stream: EventStream, responder: Responder): void {
    stream.responder = responder;
    responder.onDrain(this.#options.onDrain);
    responder.onClose(() => {
      if (stream.responder === responder) stream.responder = undefined;
    });
  }

  #trim(): void {
    const { maxSize } = this.#options;
    if (this.#size <= maxSize) return;
    let count = 0;
    // Many at once: the rest is copied.
    while (this.#size > maxSize * LEFT && count < this.#kept.length - 1) {
      const event = this.#kept[count++];
      if (event !== undefined) this.#drop(event);
    }
    this.#kept = this.#kept.slice(count);
  }

  #drop({ stream, place, frame }: KeptEvent): void {
    this.#size -= frame.length + EVENT_SIZE;
    stream.dropped = place;
    if (stream.complete && place === stream.last) this.#streams.delete(stream.number);
  }

  #format(stream: EventStream, place: number, frame: string): string {
    // JSON has no line break of its own.
    return `event: message\nid: ${this.#idOf(stream, place)}\ndata: ${frame}\n\n`;
  }

  #idOf({ number }: EventStream, place: number): string {
    return `${this.#options.tag}-${number}-${place}`;
  }
}

/** The stream that answers a POST, among those of its session. */
export class StreamOfExchange implements ExchangeStream {
  readonly #streams: EventStreams;
  readonly #stream: EventStream;

  constructor(streams: EventStreams, stream: EventStream) {
    this.#streams = streams;
    this.#stream = stream;
  }

  get isOpen(): boolean {
    return this.#stream.responder?.ended === false;
  }

  get waiting(): number {
    return this.#stream.responder?.bufferedAmount ?? 0;
  }

  push(frame: string): void {
    this.#streams.push(this.#stream, frame);
  }

  finish(frame: string): void {
    this.push(frame);
    this.complete();
  }

  complete(): void {
    this.#streams.complete(this.#stream);
  }

  sendAway(retryMs: number): void {
    const { responder } = this.#stream;
    responder?.write(`retry: ${retryMs}\n\n`);
    responder?.end();
    this.#stream.responder = undefined;
  }

  comment(): void {
    this.#stream.responder?.write(":\n\n");
  }
}
