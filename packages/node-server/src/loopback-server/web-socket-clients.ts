import { clearInterval, setInterval } from "node:timers";
import type { Peer, Transport } from "@idewire/core/rpc";
import type { WebSocket, WebSocketServer } from "ws";
import { createNodeWebSocketTransport, FrameCache } from "../web-socket/web-socket-transport.ts";
import { ClientMemory } from "./client-memory.ts";
import type { ListenLimits } from "./listen-limits.ts";
import type { Upgrade } from "./loopback-server.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { WebSocketClient } from "./web-socket-client.ts";

/** How long a client has to answer our close frame before its connection is terminated. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** The service of one client. */
export interface ServedClient {
  readonly peer: Peer;
  /** Why the client is to be closed, `ageMs` after it has connected; undefined if it is not. */
  overdue?(ageMs: number): string | undefined;
  /** Whether a client that answers no ping is only suspended, and remains connected. */
  isSuspended?(): boolean;
}

export interface WebSocketClientsOptions {
  /** The only sub-protocol that is accepted. */
  readonly protocol: string;
  readonly limits: Pick<ListenLimits, "maxFrameBytes" | "handshakeTimeoutMs" | "keepAliveMs">;
  /** The memory budget of all clients. */
  readonly budget: MemoryBudget;
}

/** The WebSocket clients of a server, with the limits of each. Its owner closes it. */
export class WebSocketClients {
  readonly #options: WebSocketClientsOptions;
  /** Loaded when a server is created: commands without sockets do not need it. */
  readonly #webSockets: Promise<WebSocketServer>;
  readonly #clients = new Set<WebSocketClient>();
  readonly #frames = new FrameCache();
  readonly #timer: NodeJS.Timeout;

  constructor(options: WebSocketClientsOptions) {
    this.#options = options;
    const { protocol, limits } = options;
    // The types of ws lack closeTimeout, so the options must not be a fresh literal.
    const webSocketOptions = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.maxFrameBytes,
      closeTimeout: CLOSE_TIMEOUT_MS,
      handleProtocols: (offered: Set<string>) => offered.has(protocol) && protocol,
    };
    this.#webSockets = import("ws").then((ws) => new ws.WebSocketServer(webSocketOptions));
    const period = Math.min(limits.keepAliveMs, limits.handshakeTimeoutMs) / 3;
    this.#timer = setInterval(() => this.#check(), period);
  }

  /** Completes an upgrade; `serve` is called unless its handshake is faulty. */
  accept(upgrade: Upgrade, serve: (transport: Transport) => ServedClient): void {
    const { request, socket, head } = upgrade;
    void this.#webSockets.then((server) => {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#add(webSocket, upgrade, serve);
      });
    });
  }

  /** Stops checking clients. */
  close(): void {
    clearInterval(this.#timer);
  }

  #add(
    webSocket: WebSocket,
    { socket }: Upgrade,
    serve: (transport: Transport) => ServedClient,
  ): void {
    const served = serve(createNodeWebSocketTransport(webSocket, socket, this.#frames));
    const { budget } = this.#options;
    const memory = new ClientMemory({ webSocket, socket, peer: served.peer }, budget);
    const client = new WebSocketClient(webSocket, served, memory);
    this.#clients.add(client);
    webSocket.on("close", () => {
      this.#clients.delete(client);
      budget.delete(memory);
    });
  }

  #check(): void {
    const now = Date.now();
    const { limits, budget } = this.#options;
    // Unsolicited frames to a client that does not read are counted here.
    for (const client of this.#clients) client.check(now, limits, budget);
  }
}
