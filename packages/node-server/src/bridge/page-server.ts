import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import { CloseCode, IdewireError, Peer } from "@idewire/core";
import { type WebSocket, WebSocketServer } from "ws";
import { ClientMemory } from "../client-memory.ts";
import { codeOf } from "../folder-host/native-path.ts";
import { MemoryBudget } from "../memory-budget.ts";
import { createNodeWebSocketTransport, FrameCache } from "../web-socket-transport.ts";
import {
  inspectOrigin,
  LIVE_PATH,
  LIVE_PROTOCOL,
  type PageRefusal,
  readCredentials,
  securityHeaders,
} from "./door.ts";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { TicketDesk } from "./ticket-desk.ts";

/** Two texts of 4 Mi units, escaped and in UTF-8, with room to spare. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** So much may wait for a page that does not read. */
const MAX_BUFFERED = 64 * 1024 * 1024;
const MAX_PAGES = 32;
/** A page answers a close at once; one that sleeps is not waited for. */
const CLOSE_PATIENCE_MS = 300;
const PING_MS = 15_000;
const NO_STORE = "no-store";

/** How pages are served. */
export interface PageServerOptions {
  /** Any free one when left out. */
  readonly port?: number;
  /** What is served; the page that comes with this package when left out. */
  readonly files?: ReadonlyMap<string, PageFile>;
  readonly desk?: TicketDesk;
  /** A page was let in; `key` lets it in again. */
  readonly onpage: (peer: Peer, key: string) => void;
}

/** The page on loopback, and the socket of each page that has a ticket. Whoever opens it closes it. */
export class PageServer {
  readonly #http: Server;
  readonly #webSockets: WebSocketServer;
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #desk: TicketDesk;
  readonly #onpage: PageServerOptions["onpage"];
  readonly #frames = new FrameCache();
  readonly #budget = new MemoryBudget({ maxClientBytes: 1 << 26, maxTotalBytes: 1 << 29 });
  /** The socket of each page, by its key. */
  readonly #pages = new Map<string, WebSocket>();
  readonly #pings: NodeJS.Timeout;
  #port = 0;

  private constructor({ files = readPageFiles(), desk, onpage }: PageServerOptions) {
    this.#files = files;
    this.#desk = desk ?? new TicketDesk();
    this.#onpage = onpage;
    this.#http = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 });
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: true,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handleProtocols: (offered) => offered.has(LIVE_PROTOCOL) && LIVE_PROTOCOL,
    });
    this.#http.maxConnections = 256;
    this.#http.on("request", (request, response) => this.#serveFile(request, response));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#upgrade(request, socket as Socket, head);
    });
    this.#pings = setInterval(() => {
      for (const webSocket of this.#pages.values()) webSocket.ping();
    }, PING_MS);
  }

  /** @throws IdewireError `port-in-use` */
  static async open(options: PageServerOptions): Promise<PageServer> {
    const server = new PageServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#http.once("error", reject);
      server.#http.listen(options.port ?? 0, "127.0.0.1", resolve);
    }).catch((cause: unknown) => {
      clearInterval(server.#pings);
      const why = `${codeOf(cause)}; choose another, or leave it out for any free one`;
      const message = `The page cannot be served on port ${options.port ?? 0}: ${why}`;
      throw new IdewireError("port-in-use", message, { cause });
    });
    server.#port = (server.#http.address() as AddressInfo).port;
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** An address that opens the page once, within a minute. */
  createLink(): string {
    return `http://127.0.0.1:${this.#port}/#t=${this.#desk.issue()}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    const { clients } = this.#webSockets;
    for (const webSocket of clients) webSocket.close(CloseCode.GoingAway, "idewire has ended");
    this.#http.closeAllConnections();
    const timer = setTimeout(() => {
      for (const webSocket of clients) webSocket.terminate();
      this.#http.closeAllConnections();
    }, CLOSE_PATIENCE_MS);
    await closed;
    clearTimeout(timer);
  }

  #serveFile(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?");
    const file = this.#files.get(path);
    const refusal = inspectOrigin(request, this.#port) ?? inspectMethod(method) ?? missing(file);
    const headers = securityHeaders(this.#port);
    if (refusal !== undefined || file === undefined) {
      const { status, message } = refusal ?? { status: 404, message: "" };
      response.writeHead(status, {
        ...headers,
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": NO_STORE,
        ...(status === 405 && { Allow: "GET, HEAD" }),
      });
      response.end(`${message}\n`);
      return;
    }
    response.writeHead(200, {
      ...headers,
      "Content-Type": file.type,
      "Content-Length": file.body.length,
      "Cache-Control": file.isHashed ? "private, max-age=31536000, immutable" : NO_STORE,
    });
    response.end(method === "HEAD" ? undefined : file.body);
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const given = readCredentials(request);
    const refusal = inspectOrigin(request, this.#port) ?? inspectPath(request.url);
    if (refusal !== undefined || given === undefined) {
      refuse(socket, refusal ?? NO_OFFER);
      return;
    }
    // A page sees no status of a refused upgrade: our own is let in, to be told why it must go.
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate());
      const { key, refused } = this.#admit(given);
      if (key === undefined) webSocket.close(CloseCode.PolicyViolation, refused);
      else this.#welcome(webSocket, socket, key);
    });
  }

  #admit({ ticket, key }: { readonly ticket?: string; readonly key?: string }): {
    readonly key?: string;
    readonly refused?: string;
  } {
    if (this.#pages.size >= MAX_PAGES) return { refused: `${MAX_PAGES} pages are open already` };
    // First the ticket, so that it is used up.
    const given = ticket === undefined ? undefined : this.#desk.redeem(ticket, key);
    if (given !== undefined && "key" in given) return given;
    if (key !== undefined && this.#desk.knows(key)) return { key };
    return given ?? { refused: "This tab has no link of its own, or idewire was restarted" };
  }

  #welcome(webSocket: WebSocket, socket: Socket, key: string): void {
    // A copy of a tab has its key as well, and a reload may be quicker than the end of the old page.
    this.#pages.get(key)?.close(CloseCode.PolicyViolation, "This page was opened in another tab");
    this.#pages.set(key, webSocket);
    webSocket.on("close", () => {
      if (this.#pages.get(key) === webSocket) this.#pages.delete(key);
    });
    const transport = createNodeWebSocketTransport(webSocket, socket, this.#frames);
    const peer = new Peer(transport, { maxBuffered: MAX_BUFFERED });
    new ClientMemory(socket, peer, this.#budget);
    this.#onpage(peer, key);
  }
}

function inspectMethod(method: string): PageRefusal | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  return { status: 405, message: `Only GET and HEAD are understood, got ${method}` };
}

function missing(file: PageFile | undefined): PageRefusal | undefined {
  return file === undefined ? { status: 404, message: "There is nothing here" } : undefined;
}

function inspectPath(url: string | undefined): PageRefusal | undefined {
  return url === LIVE_PATH ? undefined : { status: 404, message: "There is no socket here" };
}

const NO_OFFER: PageRefusal = {
  status: 400,
  message: `Offer the sub-protocol ${LIVE_PROTOCOL}`,
};

function refuse(socket: Socket, { status, message }: PageRefusal): void {
  const body = `${message}\n`;
  const head = `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: text/plain\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
