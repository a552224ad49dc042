import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { Direction } from "@idewire/devtools/trace";

/** Counted over a time in which the page reads as many, however busy it is. */
const WINDOW_MS = 10_000;
/** More than a view needs to report the person's actions; one that sends more is removed. */
const MAX_MESSAGES = 400;
/** The longest message of a view, in UTF-16 units. */
const MAX_UNITS = 4 * 1024 * 1024;

/** Called with each message between a view and the page. */
type Watcher = (dir: Direction, frame: string) => void;

/**
 * The messages between the page and the view of an MCP app in a frame: MCP Apps 2026-01-26, "Transport Layer".
 * Only messages of the frame's own window count.
 */
export class ViewTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly bufferedAmount = 0;
  readonly #frame: HTMLIFrameElement;
  readonly #watch: Watcher;
  #window = 0;
  #received = 0;
  #closed = false;

  constructor(frame: HTMLIFrameElement, watch: Watcher) {
    this.#frame = frame;
    this.#watch = watch;
    window.addEventListener("message", this.#listener);
  }

  send(frame: string): void {
    if (this.#closed) return;
    this.#watch("ide>agent", frame);
    // The origin of a view is opaque, which no target origin can name.
    this.#frame.contentWindow?.postMessage(JSON.parse(frame), "*");
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    window.removeEventListener("message", this.#listener);
    queueMicrotask(() => this.onclose?.({ code, reason }));
  }

  readonly #listener = ({ source, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || this.#closed) return;
    const now = Math.floor(performance.now() / WINDOW_MS);
    this.#received = now === this.#window ? this.#received + 1 : 1;
    this.#window = now;
    if (this.#received > MAX_MESSAGES) {
      this.close(CloseCode.PolicyViolation, `It sent more than ${MAX_MESSAGES} messages in 10 s`);
      return;
    }
    const frame = toText(data);
    if (frame === undefined) return;
    if (frame.length > MAX_UNITS) {
      const size = `${frame.length} units of ${MAX_UNITS}`;
      this.close(CloseCode.MessageTooBig, `It sent a message of ${size}`);
      return;
    }
    this.#watch("agent>ide", frame);
    this.onframe?.(frame);
  };
}

/** A message as JSON; undefined if it cannot be serialised, such as one that contains itself. */
function toText(data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}
