import { connect, type NetConnectOpts, type Socket } from "node:net";

/**
 * The connections that this process itself opens to editors, its own among them, so that a log of
 * all connections can tell them from those of agents.
 */
export class OwnConnections {
  readonly #ports = new Set<number>();

  /** For a WebSocket, to replace its own way to connect. */
  readonly connect = (options: object): Socket => {
    // Of a request, whose path is no socket's.
    const socket = connect({ ...options, path: undefined } as unknown as NetConnectOpts);
    let port: number | undefined;
    // Known before the first byte leaves, and so before the other end knows of it.
    socket.once("connect", () => {
      port = socket.localPort;
      if (port !== undefined) this.#ports.add(port);
    });
    socket.once("close", () => {
      if (port !== undefined) this.#ports.delete(port);
    });
    return socket;
  };

  /** @param port that of the other end, as a server sees it */
  has(port: number | undefined): boolean {
    return port !== undefined && this.#ports.has(port);
  }
}
