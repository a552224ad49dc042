import { type Clock, systemClock } from "./clock.ts";
import { CloseCode, type CloseReason, LOW_WATER_BYTES, type Transport } from "./transport.ts";

/** The common interface of the WebSockets of browsers, Node and `ws`. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: CloseReason) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

const OPEN = 1;
/** A WebSocket has no drain event, so it is polled while `ondrain` is due. */
const DRAIN_POLL_MS = 20;
/** A close frame has at most 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;

class WebSocketTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #socket: WebSocketLike;
  readonly #clock: Clock;
  #poll: unknown;

  constructor(socket: WebSocketLike, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    socket.addEventListener("message", ({ data }) => {
      if (typeof data === "string") this.onframe?.(data);
      else this.close(CloseCode.UnsupportedData, "Only text frames are understood");
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.#clock.clearTimeout(this.#poll);
      this.onclose?.({ code, reason });
    });
    // A close event follows every error; without a listener, `ws` would throw it.
    socket.addEventListener("error", () => {});
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  send(frame: string): void {
    if (this.#socket.readyState !== OPEN) return;
    this.#socket.send(frame);
    if (this.#poll === undefined && this.#socket.bufferedAmount > LOW_WATER_BYTES)
      this.#watchDrain();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    const words = reason.slice(0, read);
    // Browsers accept only the codes 1000 and 3000 to 4999.
    try {
      this.#socket.close(code, words);
    } catch {
      this.#socket.close(CloseCode.Normal, words);
    }
  }

  #watchDrain(): void {
    this.#poll = this.#clock.setTimeout(() => {
      this.#poll = undefined;
      if (this.#socket.readyState !== OPEN) return;
      if (this.#socket.bufferedAmount > LOW_WATER_BYTES) this.#watchDrain();
      else this.ondrain?.();
    }, DRAIN_POLL_MS);
  }
}

/** Creates a transport over an open WebSocket of a browser, of Node or of `ws`. */
export function createWebSocketTransport(
  socket: WebSocketLike,
  clock: Clock = systemClock,
): Transport {
  return new WebSocketTransport(socket, clock);
}
