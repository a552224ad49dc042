import { type Clock, systemClock } from "./clock.ts";
import { CloseCode, type CloseReason, type Transport } from "./transport.ts";

/** What a browser's WebSocket, Node's own and `ws` have in common. */
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
const LOW_WATER = 262_144;
/** A browser's socket has no event for this, so that it is asked, and only while somebody waits. */
const DRAIN_POLL_MS = 20;
/** A close frame has 125 bytes, two of which are the code. */
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
    // A close follows every error; `ws` throws one that nobody listens to.
    socket.addEventListener("error", () => {});
  }

  get bufferedAmount(): number {
    return this.#socket.bufferedAmount;
  }

  send(frame: string): void {
    if (this.#socket.readyState !== OPEN) return;
    this.#socket.send(frame);
    if (this.#poll === undefined && this.#socket.bufferedAmount > LOW_WATER) this.#watchDrain();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    const words = reason.slice(0, read);
    // A browser lets a page close with 1000 or 3000 to 4999 only.
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
      if (this.#socket.bufferedAmount > LOW_WATER) this.#watchDrain();
      else this.ondrain?.();
    }, DRAIN_POLL_MS);
  }
}

/** A transport over a WebSocket that is open already: a browser's, Node's own, or a `ws` one. */
export function createWebSocketTransport(
  socket: WebSocketLike,
  clock: Clock = systemClock,
): Transport {
  return new WebSocketTransport(socket, clock);
}
