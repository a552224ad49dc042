import type { Socket } from "node:net";

/** So many connections may not have asked for anything yet; the oldest makes room for one more. */
const MAX_SILENT = 512;

/** Those who have connected and say nothing, or nothing to the point: they cost nobody else the door. */
export class SilentSockets {
  readonly #sockets = new Set<Socket>();
  /** One for all sockets, each of which is its `this`: an idle connection shall cost little. */
  readonly #forget: (this: Socket) => void;

  constructor() {
    const sockets = this.#sockets;
    this.#forget = function () {
      sockets.delete(this);
    };
  }

  /** Somebody has connected. */
  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", this.#forget);
    const [oldest] = this.#sockets;
    if (this.#sockets.size > MAX_SILENT) oldest?.destroy();
  }

  /** Somebody has said what gives a right to stay. */
  delete(socket: Socket): void {
    if (this.#sockets.delete(socket)) socket.off("close", this.#forget);
  }
}
