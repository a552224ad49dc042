import { IdewireError } from "@idewire/core/rpc";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { readPieces, requireSize } from "./read-text.ts";

/** Each line costs memory beyond its characters. */
const MAX_LINES = 100_000;

/** Receives the events of a stream. */
export interface EventSink {
  /** The name of the stream in error messages. */
  readonly what: string;
  /** The size limit of an event. */
  readonly maxBytes: number;
  /** Of the request. */
  readonly signal: AbortSignal;
  readonly onevent: (event: EventSourceMessage) => void;
  /** Called when the server sends the delay before a resumption. */
  readonly onretry?: (ms: number) => void;
}

/**
 * Reads a `text/event-stream` to its end (WHATWG HTML, Server-sent events). An event that is cut off by the
 * end is dropped.
 * @throws IdewireError `protocol` for an event that is too large; what `onevent` and {@link readPieces} throw
 */
export async function readEvents(
  response: Response,
  { what, maxBytes, signal, onevent, onretry }: EventSink,
): Promise<void> {
  const parser = createParser({
    maxBufferSize: maxBytes,
    onEvent(event) {
      // The parser's limit does not apply to an event within one piece.
      requireSize(event.data.length, maxBytes, what);
      onevent(event);
    },
    onRetry: onretry,
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") requireSize(Infinity, maxBytes, what);
    },
  });
  let endsInCr = false;
  let lines = 0;
  await readPieces(response, signal, (piece) => {
    const text = endsInCr && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece !== "") endsInCr = text.endsWith("\r");
    // A line ends in CR, too; the parser would wait for the LF that may belong to it.
    const unix = text.replace(/\r\n?/g, "\n");
    const end = unix.lastIndexOf("\n\n");
    if (end !== -1) lines = 0;
    for (let at = unix.indexOf("\n", end + 2); at !== -1; at = unix.indexOf("\n", at + 1))
      lines += 1;
    if (lines > MAX_LINES) {
      throw new IdewireError("protocol", `${what}: an event of more than ${MAX_LINES} lines`);
    }
    // Fed separately: an incomplete event sliced from the whole piece would retain the text before it.
    const whole = end === -1 ? 0 : end + 2;
    if (whole > 0) parser.feed(unix.slice(0, whole));
    if (whole < unix.length) parser.feed(unix.slice(whole));
  });
}
