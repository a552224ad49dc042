import type { Socket } from "node:net";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core";
import type { WebSocket } from "ws";

const OPEN = 1;
const TEXT = { binary: false };
/** A close frame has 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;

/** Up to here UTF-8 in a pooled buffer is cheaper to write than a string. */
const SMALL_FRAME = 1 << 10;

/**
 * Remembers the last frame that was sent, in bytes once these are there, so that a fan-out to many
 * clients encodes it once. One for all connections of a listener.
 */
export class FrameCache {
  #frame: string | undefined;
  #bytes: Buffer | undefined;

  /** The UTF-8 of a frame; a large one is left as it is the first time, for one client alone. */
  encode(frame: string): string | Buffer {
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#bytes = undefined;
      if (frame.length > SMALL_FRAME) return frame;
    }
    this.#bytes ??= Buffer.from(frame);
    return this.#bytes;
  }

  /** Lets go of the frame: a fan-out is over when its turn is. */
  clear(): void {
    this.#frame = undefined;
    this.#bytes = undefined;
  }
}

class NodeWebSocketTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #webSocket: WebSocket;
  readonly #socket: Socket;
  readonly #cache: FrameCache;
  #corked = false;
  #closing: CloseReason | undefined;

  constructor(webSocket: WebSocket, socket: Socket, cache: FrameCache) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#cache = cache;
    webSocket.on("message", (data, isBinary) => {
      if (isBinary) this.close(CloseCode.UnsupportedData, "Only text frames are understood");
      else this.onframe?.((data as Buffer).toString());
    });
    webSocket.on("error", (error) => {
      // ws closes by itself, with the code that RFC 6455 wants; the words are kept for whoever asks.
      this.#closing ??= { code: closeCodeOf(error), reason: error.message };
    });
    webSocket.on("close", (code, reason) => {
      this.onclose?.(this.#closing ?? { code, reason: reason.toString() });
    });
    socket.on("drain", () => this.ondrain?.());
  }

  get bufferedAmount(): number {
    return this.#webSocket.bufferedAmount;
  }

  send(frame: string): void {
    if (this.#webSocket.readyState !== OPEN) return;
    this.#cork();
    this.#webSocket.send(this.#cache.encode(frame), TEXT);
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#webSocket.readyState !== OPEN) return;
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    const words = reason.slice(0, read);
    this.#closing = { code, reason: words };
    this.#webSocket.close(code, words);
  }

  /** Everything that is sent in one turn leaves in one write. */
  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#socket.uncork();
      this.#cache.clear();
    });
  }
}

/**
 * A transport over a server's `ws` WebSocket.
 * @param socket the one of the upgrade, under the WebSocket
 */
export function createNodeWebSocketTransport(
  webSocket: WebSocket,
  socket: Socket,
  cache: FrameCache,
): Transport {
  return new NodeWebSocketTransport(webSocket, socket, cache);
}

const CLOSE_CODES: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CloseCode.MessageTooBig,
  WS_ERR_INVALID_UTF8: CloseCode.InvalidPayload,
};

function closeCodeOf(error: Error): number {
  return CLOSE_CODES[(error as NodeJS.ErrnoException).code ?? ""] ?? CloseCode.Abnormal;
}
