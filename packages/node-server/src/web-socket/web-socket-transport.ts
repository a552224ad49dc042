import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import { codeOf } from "../process/error-code.ts";
import type { NodeSocket, WsWebSocket } from "../process/node-types.ts";
import { formatTextFrame } from "./text-frame.ts";

const OPEN = 1;
const TEXT = { binary: false };
/** In UTF-16 units: below this, one copy costs less than the two buffers and writes of ws. */
const SMALL_FRAME = 1 << 10;
/** After so many frames, reading pauses until timers, signals and other connections have had their turn. */
const MAX_TURN_FRAMES = 64;
/** The overhead of a small queued frame: its buffer, and its entry in the queue of the socket. */
const FRAME_COST = 512;
/** A close frame has at most 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;

/**
 * The last frame sent by the connections of one listener, encoded once it is needed twice, so that a fan-out to
 * many clients encodes it once.
 */
export class FrameCache {
  #frame: string | undefined;
  #bytes: Buffer | undefined;

  /**
   * The encoded frame for any client, with the header if it is small; undefined the first time, since the frame
   * may be for one client only.
   * @internal
   */
  encode(frame: string): Buffer | undefined {
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#bytes = undefined;
      return undefined;
    }
    this.#bytes ??= frame.length > SMALL_FRAME ? Buffer.from(frame) : formatTextFrame(frame, false);
    return this.#bytes;
  }

  /**
   * Releases the frame at the end of its turn.
   * @internal
   */
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
  readonly #isClient: boolean;
  readonly #compresses: boolean;
  #isCorked = false;
  /** Whether the other end reads slowly, so that frames of earlier turns wait. */
  #isWaiting = false;
  /** How many small frames wait. */
  #waiting = 0;
  readonly #onwritten = (): void => {
    this.#waiting -= 1;
  };
  #closing: CloseReason | undefined;
  #received = 0;
  #pings = 0;
  #onpong: (() => void) | undefined;

  constructor(webSocket: WebSocket, socket: Socket, cache: FrameCache) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#cache = cache;
    // As in ws, where sockets accepted by a server are not masked.
    this.#isClient = webSocket.url !== undefined;
    this.#compresses = webSocket.extensions !== "";
    webSocket.on("message", (data, isBinary) => {
      this.#yieldSometimes();
      if (this.#closing !== undefined) return;
      if (isBinary) this.close(CloseCode.UnsupportedData, "Only text frames are understood");
      else this.onframe?.((data as Buffer).toString());
    });
    webSocket.on("error", (error) => {
      // ws closes the connection itself, with the code that RFC 6455 requires; the message is stored for
      // `onclose`.
      this.#closing ??= { code: closeCodeOf(error), reason: error.message };
    });
    webSocket.on("close", (code, reason) => {
      this.onclose?.(this.#closing ?? { code, reason: reason.toString() });
    });
    socket.on("drain", () => this.ondrain?.());
  }

  get bufferedAmount(): number {
    return this.#webSocket.bufferedAmount + this.#waiting * FRAME_COST;
  }

  send(frame: string): void {
    if (this.#webSocket.readyState !== OPEN) return;
    this.#cork();
    // With compression ws may send later: nothing may overtake it.
    if (this.#compresses) this.#webSocket.send(frame, TEXT);
    else if (frame.length > SMALL_FRAME) {
      this.#webSocket.send(this.#cache.encode(frame) ?? frame, TEXT);
    } else if (this.#socket.writable) {
      const shared = this.#isClient ? undefined : this.#cache.encode(frame);
      const bytes = shared ?? formatTextFrame(frame, this.#isClient, this.#isWaiting);
      if (this.#isWaiting) this.#wait(bytes);
      else this.#socket.write(bytes);
    }
  }

  ping(onpong: () => void): void {
    if (this.#webSocket.readyState !== OPEN) return;
    if (this.#pings === 0) this.#webSocket.on("pong", (data) => this.#receivePong(data));
    this.#pings += 1;
    this.#onpong = onpong;
    this.#webSocket.ping(String(this.#pings));
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#webSocket.readyState !== OPEN) return;
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    const words = reason.slice(0, read);
    this.#closing = { code, reason: words };
    this.#webSocket.close(code, words);
  }

  #wait(bytes: Buffer): void {
    this.#waiting += 1;
    this.#socket.write(bytes, this.#onwritten);
  }

  /** An input that arrives faster than it is processed does not block the rest of the program. */
  #yieldSometimes(): void {
    this.#received += 1;
    if (this.#received % MAX_TURN_FRAMES !== 0) return;
    this.#webSocket.pause();
    setImmediate(() => this.#webSocket.resume());
  }

  /** A pong for an older ping, or for none, is ignored. */
  #receivePong(data: Buffer): void {
    if (data.toString() !== String(this.#pings)) return;
    const onpong = this.#onpong;
    this.#onpong = undefined;
    onpong?.();
  }

  /** Everything sent in one turn leaves in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#isWaiting = this.#socket.writableLength > 0;
    this.#socket.cork();
    process.nextTick(() => this.#uncork());
  }

  #uncork(): void {
    this.#isCorked = false;
    this.#socket.uncork();
    this.#cache.clear();
  }
}

/**
 * A transport over a `ws` WebSocket of either end.
 * @param socket the socket of the upgrade, under the WebSocket
 * @param cache shared by the connections of one listener
 */
export function createNodeWebSocketTransport(
  webSocket: WsWebSocket,
  socket: NodeSocket,
  cache: FrameCache = new FrameCache(),
): Transport {
  return new NodeWebSocketTransport(webSocket as WebSocket, socket as Socket, cache);
}

const CLOSE_CODES: Readonly<Record<string, number>> = {
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CloseCode.MessageTooBig,
  WS_ERR_INVALID_UTF8: CloseCode.InvalidPayload,
};

function closeCodeOf(error: Error): number {
  return CLOSE_CODES[codeOf(error)] ?? CloseCode.Abnormal;
}
