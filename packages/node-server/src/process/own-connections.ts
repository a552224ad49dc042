import { connect, type NetConnectOpts, type Socket } from "node:net";

/**
 * The connections that this process itself opens to editors, including its own, so that a log of all connections
 * can distinguish them from those of agents.
 */
export class OwnConnections {
  readonly #ports = new Set<number>();

  /** The `createConnection` option of a WebSocket. */
  readonly connect = (options: object): Socket => {
    // A request's path is not that of a socket.
    const socket = connect({ ...options, path: undefined } as unknown as NetConnectOpts);
    let port: number | undefined;
    // Registered before the first byte is sent, and so before the other end sees the connection.
    socket.once("connect", () => {
      port = socket.localPort;
      if (port !== undefined) this.#ports.add(port);
    });
    socket.once("close", () => {
      if (port !== undefined) this.#ports.delete(port);
    });
    return socket;
  };

  /** @param port the port of the other end, as a server sees it */
  has(port: number | undefined): boolean {
    return port !== undefined && this.#ports.has(port);
  }
}
