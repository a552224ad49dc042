import { messageOf } from "@idewire/core/internal/base";
import { createParser } from "eventsource-parser";
import { hasType, isEventStream, SLICE } from "../client/read-text.ts";
import type { HttpEndFact, HttpStreamFact } from "./http-fact.ts";

/** The limit of the recorded part of a body, in UTF-16 units. */
const MAX_TEXT = 1 << 16;

/** Of the id or the type of an event. */
const MAX_NAME = 1_000;

/** Receives the parts of a body. */
export interface BodySink {
  readonly onevent: (event: Omit<HttpStreamFact, "part" | "exchange">) => void;
  readonly onend: (end: Omit<HttpEndFact, "part" | "exchange">) => void;
  /** Whether the body is JSON-RPC, and need not be recorded. */
  readonly isMessages: boolean;
}

/** The same response; the data read from its body is reported. */
export function watchBody(response: Response, sink: BodySink): Response {
  const { body, status, statusText, headers } = response;
  // No other response can have a body.
  if (body === null || status < 200) {
    sink.onend({ bytes: 0 });
    return response;
  }
  const reading = new Reading(response, sink);
  const reader = body.getReader();
  /** The data that has been read and not yet processed. */
  let rest: Uint8Array = new Uint8Array();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } =
            rest.length > 0 ? { done: false, value: rest } : await reader.read();
          if (done || value === undefined) {
            reading.end();
            controller.close();
            return;
          }
          const slice = value.subarray(0, SLICE);
          rest = value.subarray(SLICE);
          reading.take(slice);
          controller.enqueue(slice);
        } catch (error) {
          reading.end(messageOf(error));
          controller.error(error);
        }
      },
      cancel(reason) {
        reading.end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { status, statusText, headers });
}

/** The data read from one body. */
class Reading {
  readonly #sink: BodySink;
  readonly #decoder = new TextDecoder();
  readonly #parser: ReturnType<typeof createParser> | undefined;
  readonly #isShown: boolean;
  #text = "";
  #bytes = 0;
  #hasEnded = false;

  constructor(response: Response, sink: BodySink) {
    this.#sink = sink;
    const isStream = isEventStream(response);
    this.#isShown = !isStream && !(sink.isMessages && response.ok) && isReadable(response);
    if (!isStream) return;
    this.#parser = createParser({
      onEvent: ({ id, event, data }) =>
        sink.onevent({
          ...(id !== undefined && { id: id.slice(0, MAX_NAME) }),
          ...(event !== undefined && { type: event.slice(0, MAX_NAME) }),
          units: data.length,
        }),
      onRetry: (retry) => sink.onevent({ retry, units: 0 }),
      maxBufferSize: MAX_TEXT * 256,
    });
  }

  take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#parser === undefined && (!this.#isShown || this.#text.length >= MAX_TEXT)) return;
    const text = this.#decoder.decode(piece, { stream: true });
    if (this.#isShown) this.#text = (this.#text + text).slice(0, MAX_TEXT);
    try {
      this.#parser?.feed(text);
    } catch {
      // A stream that is not one is refused by its reader, not here.
    }
  }

  end(problem?: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#sink.onend({
      bytes: this.#bytes,
      ...(this.#text !== "" && { text: this.#text }),
      ...(problem !== undefined && { problem }),
    });
  }
}

function isReadable(response: Response): boolean {
  const types = ["application/json", "application/problem+json", "text/plain", "text/html"];
  return types.some((type) => hasType(response, type)) || !response.headers.has("content-type");
}
