import { systemClock } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";

/** How long pieces are processed before timers, signals and other connections have their turn. */
const MAX_TURN_MS = 10;
/** The amount processed between two checks of the time: bytes, or the UTF-16 units of their text. */
export const SLICE = 4_096;

/**
 * Reads a body to its end, as UTF-8. A body that arrives faster than its pieces are processed does not block the
 * rest of the program.
 * @param signal of the request
 * @param onpiece called with each piece; an error that it throws ends the reading
 * @throws the error that breaks the body; the reason of the signal
 */
export async function readPieces(
  { body }: Response,
  signal: AbortSignal,
  onpiece: (text: string) => void,
): Promise<void> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  // No effect after the end of the body; before it, cancels the rest.
  const cancel = () => void reader?.cancel().catch(() => {});
  // Node's fetch never ends a body that it cannot decompress, not even when it is aborted.
  signal.addEventListener("abort", cancel);
  let startedMs: number | undefined;
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      startedMs ??= performance.now();
      const text = decoder.decode(value, { stream: !done });
      for (let at = 0; at === 0 || at < text.length; at += SLICE) {
        signal.throwIfAborted();
        onpiece(text.slice(at, at + SLICE));
        if (performance.now() - startedMs < MAX_TURN_MS) continue;
        // Buffered pieces are read without a turn of the event loop.
        await new Promise<void>((resolve) => systemClock.setTimeout(resolve, 0));
        startedMs = performance.now();
      }
      if (done) return;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

/** The name of a text in error messages, and its size limit. */
interface Limit {
  readonly what: string;
  readonly maxBytes: number;
}

/**
 * Reads a whole body, as UTF-8.
 * @throws IdewireError `protocol` when it is too large; what {@link readPieces} throws
 */
export async function readText(
  response: Response,
  signal: AbortSignal,
  { what, maxBytes }: Limit,
): Promise<string> {
  let whole = "";
  await readPieces(response, signal, (text) => {
    whole += text;
    requireSize(whole.length, maxBytes, what);
  });
  return whole;
}

/**
 * @param size in UTF-16 units, each of which takes at least one byte
 * @throws IdewireError `protocol` above the limit
 */
export function requireSize(size: number, maxBytes: number, what: string): void {
  if (size > maxBytes) throw new IdewireError("protocol", `${what}: more than ${maxBytes} bytes`);
}

/** Whether a response is an event stream. */
export function isEventStream(response: Response): boolean {
  return response.ok && hasType(response, "text/event-stream");
}

/** Whether a response has a media type, with any parameters. */
export function hasType({ headers }: Response, type: string): boolean {
  return headers.get("content-type")?.toLowerCase().split(/[;\s]/, 1)[0] === type;
}

/** Discards the rest of a response. */
export function discard(response?: Response): void {
  response?.body?.cancel().catch(() => {});
}
