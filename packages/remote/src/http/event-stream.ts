import { IdewireError } from "@idewire/core";
import { createParser } from "eventsource-parser";
import { readPieces } from "./read-text.ts";

/** Takes what an event stream says. */
export interface EventSink {
  /** The stream, for messages to a person. */
  readonly what: string;
  /** Called for each event: its data, and its type, `message` where none is given. */
  readonly onevent: (data: string, type: string) => void;
  /** Called with the id of an event, before the event. */
  readonly onid?: (id: string) => void;
  /** Called when the server says how long to wait before resuming. */
  readonly onretry?: (ms: number) => void;
  /** How large one event may be, in UTF-16 units. */
  readonly maxEventUnits: number;
}

/**
 * Reads a `text/event-stream` to its end (WHATWG HTML, Server-sent events). An event that is cut off by the
 * end is dropped.
 * @throws IdewireError `protocol` for an event that is too large; whatever breaks the stream
 */
export async function readEvents(
  response: Response,
  { what, onevent, onid, onretry, maxEventUnits }: EventSink,
): Promise<void> {
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: maxEventUnits,
    onEvent({ id, event, data }) {
      // What came in one piece was not buffered.
      isTooLarge ||= data.length > maxEventUnits;
      if (isTooLarge) return;
      if (id !== undefined) onid?.(id);
      // An empty type is none.
      onevent(data, event || "message");
    },
    onRetry: (ms) => onretry?.(ms),
    onError({ type }) {
      isTooLarge ||= type === "max-buffer-size-exceeded";
    },
  });
  let endsInCr = false;
  await readPieces(response, (piece) => {
    const text = endsInCr && piece.startsWith("\n") ? piece.slice(1) : piece;
    if (piece !== "") endsInCr = text.endsWith("\r");
    // A line ends in CR, too; the parser would wait for the LF that may belong to it.
    parser.feed(text.endsWith("\r") ? `${text}\n` : text);
    if (isTooLarge) {
      throw new IdewireError(
        "protocol",
        `${what}: an event has more than ${maxEventUnits} characters`,
      );
    }
  });
}
