import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

/** How many unauthenticated connections may be open; the oldest are closed in favour of new ones. */
const MAX_UNADMITTED = 512;

/**
 * The sockets of unauthenticated clients. However many there are, they never keep others out: they only displace
 * one another.
 */
export class UnadmittedSockets {
  readonly #sockets = new Set<Socket>();
  /** One function for all sockets, which are its `this`: idle connections cost little. */
  readonly #forget: (this: Socket) => void;
  #isTrimming = false;

  constructor() {
    const sockets = this.#sockets;
    this.#forget = function () {
      sockets.delete(this);
    };
  }

  /** A client has connected. */
  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", this.#forget);
    if (this.#sockets.size <= MAX_UNADMITTED || this.#isTrimming) return;
    this.#isTrimming = true;
    // By the next round of the event loop the credentials of the newest have been read.
    setImmediate(() => setImmediate(() => this.#trim()));
  }

  /** The client is admitted. */
  delete(socket: Socket): void {
    if (this.#sockets.delete(socket)) socket.off("close", this.#forget);
  }

  /** Disconnects all of them. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #trim(): void {
    this.#isTrimming = false;
    for (const socket of this.#sockets) {
      if (this.#sockets.size <= MAX_UNADMITTED) return;
      this.delete(socket);
      socket.destroy();
    }
  }
}
