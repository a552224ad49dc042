import type { EventStamp, HttpEvent, HttpHeader, TraceEvent } from "../format/trace-event.ts";

/** An event of a stream. */
export interface StreamEvent {
  readonly t: number;
  readonly id?: string;
  readonly type?: string;
  readonly retry?: number;
  readonly units: number;
}

/** An HTTP request, and what is known of its response. */
export interface HttpExchange {
  readonly request: EventStamp & HttpEvent;
  readonly status?: number;
  readonly headers?: readonly HttpHeader[];
  /** From the request to the head of the response. */
  readonly waitedMs?: number;
  /** From the request to the end of the response. */
  readonly durationMs?: number;
  readonly bytes?: number;
  /** The body of the response, unless it consists of JSON-RPC messages. */
  readonly text?: string;
  readonly problem?: string;
  /** The newest events of its stream, oldest first. */
  readonly stream: readonly StreamEvent[];
  /** How many events its stream has had. */
  readonly streamed: number;
}

/** The most events of a stream that are kept. */
const MAX_STREAM = 200;

/** The HTTP exchanges of a log, by the number of their requests. */
export class HttpExchanges {
  readonly #byRequest = new Map<number, HttpExchange>();
  /** The numbers of the requests, by connection and exchange. */
  readonly #numbers = new Map<string, number>();

  /** The exchange whose request has this number; undefined when there is none, or it was dropped. */
  of(n: number): HttpExchange | undefined {
    return this.#byRequest.get(n);
  }

  /** The number of the request of the exchange to which an event belongs. */
  requestOf({ ch, exchange }: HttpEvent): number | undefined {
    return this.#numbers.get(`${ch} ${exchange}`);
  }

  /** Adds the next event of the log. */
  add(event: TraceEvent): void {
    if (event.ev !== "http") return;
    const key = `${event.ch} ${event.exchange}`;
    if (event.part === "request") {
      this.#numbers.set(key, event.n);
      this.#byRequest.set(event.n, { request: event, stream: [], streamed: 0 });
      return;
    }
    const n = this.#numbers.get(key);
    const before = n === undefined ? undefined : this.#byRequest.get(n);
    if (n === undefined || before === undefined) return;
    this.#byRequest.set(n, extended(before, event));
  }

  /** Drops everything before the event number `first`. */
  drop(first: number): void {
    for (const n of this.#byRequest.keys()) {
      if (n >= first) break;
      this.#byRequest.delete(n);
    }
    for (const [key, n] of this.#numbers) if (n < first) this.#numbers.delete(key);
  }
}

function extended(before: HttpExchange, event: EventStamp & HttpEvent): HttpExchange {
  const sinceMs = event.t - before.request.t;
  const { status, headers, bytes, text, problem, id, type, retry, units = 0 } = event;
  switch (event.part) {
    case "response":
      return {
        ...before,
        waitedMs: sinceMs,
        ...(status !== undefined && { status }),
        ...(headers !== undefined && { headers }),
      };
    case "event": {
      const one: StreamEvent = {
        ...{ t: event.t, units },
        ...(id !== undefined && { id }),
        ...(type !== undefined && { type }),
        ...(retry !== undefined && { retry }),
      };
      const stream = [...before.stream, one].slice(-MAX_STREAM);
      return { ...before, stream, streamed: before.streamed + 1 };
    }
    default:
      return {
        ...before,
        durationMs: sinceMs,
        ...(bytes !== undefined && { bytes }),
        ...(text !== undefined && { text }),
        ...(problem !== undefined && { problem }),
      };
  }
}
