import type { ServerResponse } from "node:http";

/** What is left of one POST: the answers to its requests, as one JSON text or as a stream of events. */
export class HttpExchange {
  readonly #response: ServerResponse;
  readonly #takesEvents: boolean;
  /** The ids that wait for their answer, as JSON. */
  readonly #ids: Set<string>;
  #streams = false;

  constructor(
    response: ServerResponse,
    { ids, takesEvents }: { readonly ids: Iterable<string>; readonly takesEvents: boolean },
  ) {
    this.#response = response;
    this.#ids = new Set(ids);
    this.#takesEvents = takesEvents;
  }

  /** Whether an answer is still to come. */
  get waits(): boolean {
    return this.#ids.size > 0;
  }

  /** Whether the response has all that it will have. */
  get isSettled(): boolean {
    return this.#response.writableEnded;
  }

  /** Whether what is no answer may be sent here. */
  get takesEvents(): boolean {
    return this.#takesEvents && !this.#response.writableEnded;
  }

  /** Bytes that the client has not taken yet. */
  get waiting(): number {
    return this.#streams ? this.#response.writableLength : 0;
  }

  /** Sends the frame that answers all requests; nothing comes after it. */
  answer(frame: string, headers: Readonly<Record<string, string>>): void {
    this.#ids.clear();
    if (this.#streams) {
      this.event(frame, headers);
      this.#response.end();
      return;
    }
    // With the length known, head and body leave in one write.
    this.#response.writeHead(200, {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(frame),
    });
    this.#response.end(frame);
  }

  /** Sends what comes before the answer. */
  event(frame: string, headers: Readonly<Record<string, string>>): void {
    if (!this.#streams) startEvents(this.#response, headers);
    this.#streams = true;
    writeEvent(this.#response, frame);
  }

  /** Answers that nothing in the body can be answered by its id (MCP 2025-11-25, Transports). */
  refuse(frame: string, headers: Readonly<Record<string, string>>): void {
    if (this.#response.headersSent) return;
    this.#ids.clear();
    const size = { "content-length": Buffer.byteLength(frame) };
    this.#response.writeHead(400, { ...headers, "content-type": "application/json", ...size });
    this.#response.end(frame);
  }

  /** Stops waiting for an answer; says whether it had waited. */
  release(id: string): boolean {
    return this.#ids.delete(id);
  }

  /** Ends without an answer: there is nothing to say. */
  accept(headers: Readonly<Record<string, string>>): void {
    if (!this.#streams) this.#response.writeHead(202, headers);
    this.#response.end();
  }

  /** The session ends: no answer will follow. */
  abandon(): void {
    if (this.#streams) this.#response.end();
    else if (!this.#response.headersSent) this.#response.writeHead(503).end("The session ended\n");
  }
}

/** Begins a stream of server-sent events. */
export function startEvents(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, {
    ...headers,
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
}

/** One frame as an event: JSON has no line break of its own. */
export function writeEvent(response: ServerResponse, frame: string): void {
  response.write(`event: message\ndata: ${frame}\n\n`);
}
