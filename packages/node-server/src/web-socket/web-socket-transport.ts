import type { Socket } from "node:net";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import { codeOf } from "../process/error-code.ts";
import type { NodeSocket, WsWebSocket } from "../process/node-types.ts";
import { FrameBuffer, formatTextFrame, SMALL_FRAME } from "./frame-buffer.ts";

const OPEN = 1;
const TEXT = { binary: false };
/** A close frame has 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123;

/** How many buffers are kept for reuse; a turn seldom sends to more connections. */
const MAX_SPARE_BUFFERS = 4;

/**
 * What the connections of one listener share. It remembers the last frame that was sent, in bytes
 * once these are needed twice, so that a fan-out to many clients encodes it once; and it lends out
 * the memory in which the frames of a turn are put together.
 */
export class FrameCache {
  #frame: string | undefined;
  #bytes: Buffer | undefined;
  readonly #spare: FrameBuffer[] = [];

  /**
   * The bytes that say a frame to any client: of a small one the header too, of a large one the
   * payload. Undefined the first time: it may be for one client alone.
   * @internal
   */
  encode(frame: string): Buffer | undefined {
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#bytes = undefined;
      return undefined;
    }
    this.#bytes ??= frame.length > SMALL_FRAME ? Buffer.from(frame) : formatTextFrame(frame);
    return this.#bytes;
  }

  /**
   * Lets go of the frame: a fan-out is over when its turn is.
   * @internal
   */
  clear(): void {
    this.#frame = undefined;
    this.#bytes = undefined;
  }

  /** @internal */
  lend(): FrameBuffer {
    return this.#spare.pop() ?? new FrameBuffer();
  }

  /**
   * Takes back a buffer that is no longer read.
   * @internal
   */
  giveBack(buffer: FrameBuffer): void {
    if (this.#spare.length === MAX_SPARE_BUFFERS) return;
    buffer.clear();
    this.#spare.push(buffer);
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
  /** The small frames of this turn. */
  #small: FrameBuffer | undefined;
  #closing: CloseReason | undefined;
  #pings = 0;
  #onpong: (() => void) | undefined;

  constructor(webSocket: WebSocket, socket: Socket, cache: FrameCache) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#cache = cache;
    // As ws has it: those that a server accepted have none.
    this.#isClient = webSocket.url !== undefined;
    this.#compresses = webSocket.extensions !== "";
    webSocket.on("message", (data, isBinary) => {
      if (isBinary) this.close(CloseCode.UnsupportedData, "Only text frames are understood");
      else this.onframe?.((data as Buffer).toString());
    });
    webSocket.on("error", (error) => {
      // ws closes by itself, with the code that RFC 6455 requires; the message is kept for `onclose`.
      this.#closing ??= { code: closeCodeOf(error), reason: error.message };
    });
    webSocket.on("close", (code, reason) => {
      this.onclose?.(this.#closing ?? { code, reason: reason.toString() });
    });
    socket.on("drain", () => this.ondrain?.());
    const close = webSocket.close.bind(webSocket);
    // ws too closes by this, when it has read a close frame: the answers to what came before that
    // leave before ours.
    webSocket.close = (code, reason) => {
      this.#writeSmall();
      close(code, reason);
    };
  }

  get bufferedAmount(): number {
    return this.#webSocket.bufferedAmount + (this.#small?.size ?? 0);
  }

  send(frame: string): void {
    if (this.#webSocket.readyState !== OPEN) return;
    this.#cork();
    // ws may send later than asked: nothing may overtake it.
    if (this.#compresses) this.#webSocket.send(frame, TEXT);
    else if (frame.length <= SMALL_FRAME) this.#sendSmall(frame);
    else {
      this.#writeSmall();
      this.#webSocket.send(this.#cache.encode(frame) ?? frame, TEXT);
    }
  }

  ping(onpong: () => void): void {
    if (this.#webSocket.readyState !== OPEN) return;
    if (this.#pings === 0) this.#webSocket.on("pong", (data) => this.#receivePong(data));
    this.#pings += 1;
    this.#onpong = onpong;
    this.#writeSmall();
    this.#webSocket.ping(String(this.#pings));
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#webSocket.readyState !== OPEN) return;
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    const words = reason.slice(0, read);
    this.#closing = { code, reason: words };
    this.#webSocket.close(code, words);
  }

  /** A pong for an older ping, or for none, is ignored. */
  #receivePong(data: Buffer): void {
    if (data.toString() !== String(this.#pings)) return;
    const onpong = this.#onpong;
    this.#onpong = undefined;
    onpong?.();
  }

  /** Past ws, which would make two buffers and two writes of each. */
  #sendSmall(frame: string): void {
    const shared = this.#isClient ? undefined : this.#cache.encode(frame);
    if (shared !== undefined) {
      this.#writeSmall();
      this.#socket.write(shared);
      return;
    }
    if (this.#small?.hasRoomFor(frame) === false) {
      this.#writeSmall();
      this.#small = undefined;
    }
    this.#small ??= this.#cache.lend();
    this.#small.add(frame, this.#isClient);
  }

  #writeSmall(): void {
    const { size = 0 } = this.#small ?? {};
    const socket = this.#socket;
    if (this.#small === undefined || size === 0 || !socket.writable) return;
    const frames = this.#small.take();
    // A slow reader holds no more memory than its frames take.
    const keeps = socket.writableLength > 0;
    socket.write(keeps ? Buffer.allocUnsafeSlow(size).fill(frames) : frames);
  }

  /** Everything that is sent in one turn leaves in one write. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => this.#uncork());
  }

  #uncork(): void {
    this.#writeSmall();
    this.#isCorked = false;
    this.#socket.uncork();
    // What the system has not taken yet, it still reads.
    if (this.#small !== undefined && this.#socket.writableLength === 0) {
      this.#cache.giveBack(this.#small);
    }
    this.#small = undefined;
    this.#cache.clear();
  }
}

/**
 * A transport over a `ws` WebSocket of either end.
 * @param socket the one of the upgrade, under the WebSocket
 */
export function createNodeWebSocketTransport(
  webSocket: WsWebSocket,
  socket: NodeSocket,
  cache: FrameCache,
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
