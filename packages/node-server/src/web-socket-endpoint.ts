import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import {
  CloseCode,
  type IdeServer,
  type IdeSession,
  IdewireError,
  type Transport,
} from "@idewire/core";
import { type WebSocket, WebSocketServer } from "ws";
import { Connection } from "./connection.ts";
import {
  BAD_TOKEN,
  type DoorPolicy,
  hasToken,
  inspectRequest,
  refuse,
  SUB_PROTOCOL,
} from "./handshake.ts";
import type { ListenIdeOptions, ListenLimits } from "./listen-options.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { SilentSockets } from "./silent-sockets.ts";
import { FrameCache } from "./web-socket-transport.ts";

/** How long a client has to answer our close frame before it is cut off. */
const CLOSE_PATIENCE_MS = 1_000;

/** So many may be told at once that they lack the token, or wait for the door to open. */
const MAX_STRANGERS = 64;

export interface EndpointOptions {
  readonly address: string;
  readonly token: string;
  readonly door: DoorPolicy;
  readonly limits: ListenLimits;
  /** What all clients of the listener may make it hold. */
  readonly budget: MemoryBudget;
  /** The agents run on this machine: their processes can be looked at. */
  readonly seesAgents: boolean;
  readonly wrapTransport: ListenIdeOptions["wrapTransport"];
  /** Somebody without the token was turned away. */
  readonly onrefused: () => void;
}

/**
 * One port on which agents reach one IdeServer by WebSocket. It lets in who has the token, counts
 * them, and lets go of who is dead.
 */
export class WebSocketEndpoint {
  readonly #ide: IdeServer;
  readonly #options: EndpointOptions;
  readonly #http: Server;
  readonly #webSockets: WebSocketServer;
  readonly #connections = new Set<Connection>();
  readonly #frames = new FrameCache();
  readonly #silent = new SilentSockets();
  #admitted = 0;
  #strangers = 0;
  /** Who knocked before the door opened; undefined from then on. */
  #knocks: (() => void)[] | undefined = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ide: IdeServer, options: EndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    const { limits } = options;
    this.#http = createServer({
      headersTimeout: limits.handshakeTimeoutMs,
      requestTimeout: limits.handshakeTimeoutMs,
      connectionsCheckingInterval: Math.min(5_000, limits.handshakeTimeoutMs),
      keepAliveTimeout: 1,
      noDelay: true,
    });
    // The types of ws do not know closeTimeout yet, so that the options are no fresh literal.
    const webSocketOptions = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.maxFrameBytes,
      closeTimeout: CLOSE_PATIENCE_MS,
      handleProtocols: (offered: Set<string>) => offered.has(SUB_PROTOCOL) && SUB_PROTOCOL,
    };
    this.#webSockets = new WebSocketServer(webSocketOptions);
    this.#http.on("connection", (socket) => this.#silent.add(socket));
    this.#http.on("request", (request) => this.#refusePlain(request));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#knock(request, socket as Socket, head);
    });
  }

  /**
   * @returns the port that listens now
   * @throws IdewireError `port-in-use`
   */
  async listen(port: number): Promise<number> {
    const { address, limits } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", (error) => reject(toListenError(error, port, address)));
      this.#http.listen(port, address, () => {
        this.#http.removeAllListeners("error");
        resolve();
      });
    });
    const period = Math.min(limits.keepAliveMs, limits.handshakeTimeoutMs) / 3;
    this.#timer = setInterval(() => this.#tend(), period);
    return (this.#http.address() as AddressInfo).port;
  }

  /** Lets in who has come, and who comes from now on: until this is called everybody waits. */
  admit(): void {
    const knocks = this.#knocks ?? [];
    this.#knocks = undefined;
    for (const upgrade of knocks) upgrade();
  }

  /** Stops listening, and waits until every client has gone or was cut off. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#ide.close(CloseCode.GoingAway, "The editor has closed");
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
      this.#http.closeAllConnections();
    }, CLOSE_PATIENCE_MS);
    await closed;
    clearTimeout(timer);
  }

  #refusePlain(request: IncomingMessage): void {
    const refusal = inspectRequest(request, this.#options.door);
    const plain = { status: 426, message: "Ask for an upgrade to WebSocket" } as const;
    refuse(request.socket, refusal ?? plain);
  }

  #knock(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#silent.delete(socket);
    // From the upgrade on nobody else listens for this.
    socket.on("error", destroy);
    const refusal = inspectRequest(request, this.#options.door);
    if (refusal !== undefined) refuse(socket, refusal);
    else if (this.#knocks === undefined) this.#upgrade(request, socket, head);
    else if (this.#knocks.length < MAX_STRANGERS) {
      this.#knocks.push(() => this.#upgrade(request, socket, head));
    } else refuse(socket, { status: 503, message: "The editor is just starting; come back" });
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (socket.destroyed) return;
    const { limits, token } = this.#options;
    const isKnown = hasToken(request.headers, token);
    const isFull = isKnown
      ? this.#admitted >= limits.maxConnections
      : this.#strangers >= MAX_STRANGERS;
    if (isFull) {
      const message = `${limits.maxConnections} clients are connected, which is the limit`;
      refuse(socket, { status: 503, message });
      return;
    }
    this.#count(isKnown, 1);
    socket.on("close", () => this.#count(isKnown, -1));
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (isKnown) this.#serve(webSocket, socket);
      else {
        turnAway(webSocket);
        this.#options.onrefused();
      }
    });
  }

  #count(isKnown: boolean, change: 1 | -1): void {
    if (isKnown) this.#admitted += change;
    else this.#strangers += change;
  }

  #serve(webSocket: WebSocket, socket: Socket): void {
    const connection = new Connection(this.#opener(socket), webSocket, socket, {
      frames: this.#frames,
      budget: this.#options.budget,
    });
    this.#connections.add(connection);
    webSocket.on("close", () => this.#connections.delete(connection));
  }

  /** In a method of its own, since what a closure sees lives as long as the longest one beside it. */
  #opener({ remotePort: port }: Socket): (transport: Transport) => IdeSession {
    const { wrapTransport } = this.#options;
    return (transport) => this.#ide.open(wrapTransport?.(transport, { port }) ?? transport);
  }

  #tend(): void {
    const now = Date.now();
    for (const connection of this.#connections) connection.tend(now, this.#options);
  }
}

/** No closure: one in a method would keep the whole request for as long as the socket lives. */
function destroy(this: Socket): void {
  this.destroy();
}

/** A client without the token: told why, and nothing that it sends is looked at. */
function turnAway(webSocket: WebSocket): void {
  webSocket.on("error", () => webSocket.terminate());
  webSocket.close(CloseCode.PolicyViolation, BAD_TOKEN);
}

function toListenError(error: Error, port: number, address: string): IdewireError {
  const { code } = error as NodeJS.ErrnoException;
  const where = `port ${port} of ${address}`;
  if (code === "EADDRINUSE" || code === "EACCES") {
    const why = code === "EACCES" ? "may not be used by you" : "is in use by another program";
    return new IdewireError("port-in-use", `${where} ${why}; choose another`, { cause: error });
  }
  return new IdewireError("invalid-argument", `Cannot listen on ${where}: ${error.message}`, {
    cause: error,
  });
}
