import { clearInterval, setInterval } from "node:timers";
import type { Peer, Transport } from "@idewire/core/rpc";
import type { WebSocket, WebSocketServer } from "ws";
import { createNodeWebSocketTransport, FrameCache } from "../web-socket/web-socket-transport.ts";
import { ClientMemory } from "./client-memory.ts";
import type { ListenLimits } from "./listen-limits.ts";
import type { Upgrade } from "./loopback-server.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { WebSocketClient } from "./web-socket-client.ts";

/** How long a client has to answer our close frame before it is cut off. */
export const CLOSE_TIMEOUT_MS = 1_000;

/** What serves one client. */
export interface ServedClient {
  readonly peer: Peer;
  /** Why the client is closed, `ageMs` after it has connected; undefined when it stays. */
  overdue?(ageMs: number): string | undefined;
  /** Whether a client that answers no ping is suspended, and stays. */
  isSuspended?(): boolean;
}

export interface WebSocketClientsOptions {
  /** The one sub-protocol that is agreed on. */
  readonly protocol: string;
  readonly limits: Pick<ListenLimits, "maxFrameBytes" | "handshakeTimeoutMs" | "keepAliveMs">;
  /** The memory that all clients may take. */
  readonly budget: MemoryBudget;
}

/** The clients that a server reaches by WebSocket, with the limits on each. Its owner closes it. */
export class WebSocketClients {
  readonly #options: WebSocketClientsOptions;
  /** Loaded when a server is made: a command that opens no socket does without it. */
  readonly #webSockets: Promise<WebSocketServer>;
  readonly #clients = new Set<WebSocketClient>();
  readonly #frames = new FrameCache();
  readonly #timer: NodeJS.Timeout;

  constructor(options: WebSocketClientsOptions) {
    this.#options = options;
    const { protocol, limits } = options;
    // The types of ws do not know closeTimeout yet, so that the options are no fresh literal.
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

  /** Checks clients no more. */
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
    // Frames sent unasked to a client that reads nothing are counted here.
    for (const client of this.#clients) client.check(now, limits, budget);
  }
}
