import type { Socket } from "node:net";
import { CloseCode, type Peer } from "@idewire/core/rpc";
import type { WebSocket } from "ws";
import type { MemoryBudget, MemoryHolder } from "./memory-budget.ts";

/** The approximate overhead of each piece that `ws` stores. */
const PIECE_BYTES = 256;
/** The header of a client's ping or pong (RFC 6455 section 5.2). */
const CONTROL_HEADER_BYTES = 6;

/** A WebSocket client. */
export interface MemoryClient {
  readonly webSocket: WebSocket;
  /** The socket under the WebSocket, which already reads it. */
  readonly socket: Socket;
  readonly peer: Peer;
}

/**
 * The memory used for a WebSocket client: its unfinished message, its open requests, and its unread output. `ws`
 * does not report how much of a message it holds, so bytes are counted from the end of each message on; the rest
 * of a chunk in which a message ends is not counted.
 */
export class ClientMemory implements MemoryHolder {
  readonly #socket: Socket;
  readonly #peer: Peer;
  #unfinishedBytes = 0;
  #pieces = 0;
  #unfinishedSince: number | undefined;
  /** For the chunk that `ws` is reading: whether a message ends in it, and the bytes of pings and pongs. */
  #endsMessage = false;
  #controlBytes = 0;

  /** Counts from now on; its owner removes it from the budget when the WebSocket has closed. */
  constructor({ webSocket, socket, peer }: MemoryClient, budget: MemoryBudget) {
    this.#socket = socket;
    this.#peer = peer;
    budget.add(this);
    webSocket.on("message", () => {
      this.#endsMessage = true;
    });
    const addControl = (payload: Buffer) => {
      this.#controlBytes += CONTROL_HEADER_BYTES + payload.length;
    };
    webSocket.on("ping", addControl);
    webSocket.on("pong", addControl);
    socket.on("data", (chunk: Buffer) => {
      this.#count(chunk.length);
      budget.update(this);
    });
  }

  /** When the unfinished message began. */
  get unfinishedSince(): number | undefined {
    return this.#unfinishedSince;
  }

  get heldBytes(): number {
    return this.#unfinishedBytes + this.#pieces * PIECE_BYTES + this.#peer.heldBytes;
  }

  evict(reason: string): void {
    this.#peer.close(CloseCode.PolicyViolation, reason);
    // Further bytes are read and discarded, since otherwise the reason would not arrive.
    this.#socket.removeAllListeners("data").resume();
    this.#socket.end();
  }

  #count(size: number): void {
    const bytes = this.#unfinishedBytes + size - this.#controlBytes;
    const isOpen = !this.#endsMessage && bytes > 0;
    this.#unfinishedBytes = isOpen ? bytes : 0;
    this.#pieces = isOpen ? this.#pieces + 1 : 0;
    this.#unfinishedSince = isOpen ? (this.#unfinishedSince ?? Date.now()) : undefined;
    this.#endsMessage = false;
    this.#controlBytes = 0;
  }
}
