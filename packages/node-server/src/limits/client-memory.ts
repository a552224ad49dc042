import type { Socket } from "node:net";
import { CloseCode, type Peer } from "@idewire/core/rpc";
import { FrameWatch } from "./frame-watch.ts";
import type { MemoryBudget, MemoryHolder } from "./memory-budget.ts";

/**
 * What a client over a WebSocket makes us hold: the message that it has not finished, its requests
 * without an answer, and what it has not read.
 */
export class ClientMemory implements MemoryHolder {
  readonly #socket: Socket;
  readonly #peer: Peer;
  readonly #watch = new FrameWatch();

  /**
   * Counts from now on, until the socket closes.
   * @param socket the one under the WebSocket, which reads it already
   */
  constructor(socket: Socket, peer: Peer, budget: MemoryBudget) {
    this.#socket = socket;
    this.#peer = peer;
    budget.add(this);
    socket.on("data", (bytes: Buffer) => {
      this.#watch.push(bytes, Date.now());
      budget.update(this);
    });
    socket.on("close", () => budget.delete(this));
  }

  /** When the message that is not finished yet began. */
  get unfinishedSince(): number | undefined {
    return this.#watch.unfinishedSince;
  }

  get heldBytes(): number {
    return this.#watch.heldBytes + this.#peer.heldBytes;
  }

  evict(reason: string): void {
    this.#peer.close(CloseCode.PolicyViolation, reason);
    // What still comes is read, for else the reason would not be, and dropped: nothing more is kept.
    this.#socket.removeAllListeners("data").resume();
    this.#socket.end();
  }
}
