import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import type { IdeServer, IdeSession } from "@idewire/core";
import { CloseCode, IdewireError, type Transport } from "@idewire/core/rpc";
import type { SourcePolicy } from "@idewire/http/internal";
import { type WebSocket, WebSocketServer } from "ws";
import { closeUnadmitted } from "../admission/end-unadmitted.ts";
import {
  BAD_TOKEN,
  hasToken,
  inspectRequest,
  refuse,
  SUB_PROTOCOL,
} from "../admission/handshake.ts";
import { headOnlyUnless } from "../admission/head-only.ts";
import { UnadmittedSockets } from "../admission/unadmitted-sockets.ts";
import type { ListenLimits } from "../limits/listen-limits.ts";
import type { MemoryBudget } from "../limits/memory-budget.ts";
import { ClientConnection } from "../listen/connection.ts";
import type { ListenIdeOptions } from "../listen/listen-options.ts";
import { codeOf } from "../process/error-code.ts";
import { FrameCache } from "./web-socket-transport.ts";

/** How long a client has to answer our close frame before it is cut off. */
const CLOSE_PATIENCE_MS = 1_000;

/** How long the head of a request may take; an honest client sends it at once. */
const MAX_HEAD_MS = 5_000;
const MAX_HEAD_BYTES = 8_192;

export interface EndpointOptions {
  readonly address: string;
  readonly token: string;
  readonly policy: SourcePolicy;
  readonly limits: ListenLimits;
  /** What all clients of the listener may make it hold. */
  readonly budget: MemoryBudget;
  /** The agents run on this machine: their processes can be looked at. */
  readonly seesAgents: boolean;
  readonly wrapTransport: ListenIdeOptions["wrapTransport"];
  /** A client without the token was refused. */
  readonly onrefused: () => void;
}

/**
 * One port on which agents reach one IdeServer by WebSocket. It admits clients that have the token,
 * counts them, and drops dead ones.
 */
export class WebSocketEndpoint {
  readonly #ide: IdeServer;
  readonly #options: EndpointOptions;
  readonly #http: Server;
  readonly #webSockets: WebSocketServer;
  readonly #connections = new Set<ClientConnection>();
  readonly #frames = new FrameCache();
  readonly #unadmitted = new UnadmittedSockets();
  #admitted = 0;
  /** What waits for {@link admit}; undefined from then on. */
  #waiting: (() => void)[] | undefined = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ide: IdeServer, options: EndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    const { limits } = options;
    const headMs = Math.min(MAX_HEAD_MS, limits.handshakeTimeoutMs);
    this.#http = createServer({
      headersTimeout: headMs,
      requestTimeout: headMs,
      connectionsCheckingInterval: Math.min(1_000, headMs),
      maxHeaderSize: MAX_HEAD_BYTES,
      keepAliveTimeout: 1,
      noDelay: true,
      IncomingMessage: headOnlyUnless(() => false),
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
    this.#http.on("connection", (socket) => this.#unadmitted.add(socket));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#receive(request, socket as Socket, head);
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

  /** Admits clients, also those that wait: until this is called every client waits. */
  admit(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const act of waiting) act();
  }

  /** Stops listening, and waits until every client has disconnected or was cut off. */
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

  #receive(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // After the upgrade there is no other listener for this.
    socket.on("error", destroy);
    const refusal = inspectRequest(request, this.#options.policy);
    if (refusal !== undefined) refuse(socket, request, refusal);
    else if (hasToken(request.headers, this.#options.token)) this.#admit(request, socket, head);
    else this.#turnAway(request, socket);
  }

  /** A client without the token gets the reason, and nothing that it sends is read. */
  #turnAway(request: IncomingMessage, socket: Socket): void {
    const protocol = request.headers["sec-websocket-protocol"] && SUB_PROTOCOL;
    const close = {
      code: CloseCode.PolicyViolation,
      reason: BAD_TOKEN,
      ...(protocol && { protocol }),
    };
    if (!closeUnadmitted(request, socket, close)) {
      refuse(socket, request, {
        status: 400,
        message: "Expected the handshake of a WebSocket, version 13",
      });
    } else if (this.#waiting === undefined) this.#options.onrefused();
    else if (this.#waiting.length < this.#options.limits.maxConnections) {
      this.#waiting.push(this.#options.onrefused);
    }
  }

  #admit(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#unadmitted.delete(socket);
    if (this.#waiting === undefined) this.#upgrade(request, socket, head);
    else this.#waiting.push(() => this.#upgrade(request, socket, head));
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (socket.destroyed) return;
    const { maxConnections } = this.#options.limits;
    if (this.#admitted >= maxConnections) {
      const message = `${maxConnections} clients are connected, which is the limit`;
      refuse(socket, request, { status: 503, message });
      return;
    }
    this.#admitted += 1;
    socket.on("close", () => {
      this.#admitted -= 1;
    });
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#serve(webSocket, socket);
    });
  }

  #serve(webSocket: WebSocket, socket: Socket): void {
    const connection = new ClientConnection(this.#opener(socket), webSocket, socket, {
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

function toListenError(error: Error, port: number, address: string): IdewireError {
  const code = codeOf(error);
  const where = `port ${port} of ${address}`;
  if (code === "EADDRINUSE" || code === "EACCES") {
    const why = code === "EACCES" ? "may not be used by you" : "is in use by another program";
    return new IdewireError("port-in-use", `${where} ${why}; choose another`, { cause: error });
  }
  return new IdewireError("invalid-argument", `Cannot listen on ${where}: ${error.message}`, {
    cause: error,
  });
}
