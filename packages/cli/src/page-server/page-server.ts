import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import { CloseCode, IdewireError, Peer } from "@idewire/core/rpc";
import { createNodeWebSocketTransport, FrameCache } from "@idewire/node-server";
import {
  ClientMemory,
  codeOf,
  defaultLimits,
  endUnadmitted,
  expectNoMore,
  headOnlyUnless,
  type LastAnswer,
  MemoryBudget,
  sendLast,
  UnadmittedSockets,
} from "@idewire/node-server/internal";
import { type WebSocket, WebSocketServer } from "ws";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { isOfAnotherUser } from "./peer-user.ts";
import { TicketStore } from "./ticket-store.ts";
import {
  type Credentials,
  inspectMethod,
  inspectOrigin,
  inspectPath,
  LIVE_PROTOCOL,
  type PageRefusal,
  readAskedCredentials,
  readCredentials,
  securityHeaders,
  WHY_PATH,
} from "./upgrade.ts";

/** Two texts of 4 Mi units, escaped and in UTF-8, with room to spare. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** The most that may wait for a page that does not read. */
const MAX_BUFFERED = 64 * 1024 * 1024;
const MAX_PAGES = 32;
/** A page answers a close at once; one that is suspended is not waited for. */
const CLOSE_PATIENCE_MS = 300;
const PING_MS = 15_000;
/** A page that misses this many pings in a row is closed, even if its connection looks open. */
const MAX_MISSED = 2;
const NO_STORE = "no-store";

/** Limits for unauthenticated clients: an honest one sends its request and reads the answer at once. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
const READ_MS = 10_000;

/** How pages are served. */
export interface PageServerOptions {
  /** Any free one when left out. */
  readonly port?: number;
  /** What is served; the page that comes with this package when left out. */
  readonly files?: ReadonlyMap<string, PageFile>;
  readonly tickets?: TicketStore;
  /** Between two pings to each page; 15,000 when left out. */
  readonly pingMs?: number;
  /** A page was admitted; `key` admits it again. */
  readonly onpage: (peer: Peer, key: string) => void;
}

/** Serves the page on loopback, and a socket to each page that has a ticket. The caller closes it. */
export class PageServer {
  readonly #http: Server;
  readonly #webSockets: WebSocketServer;
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #tickets: TicketStore;
  readonly #onpage: PageServerOptions["onpage"];
  readonly #frames = new FrameCache();
  readonly #budget = new MemoryBudget(defaultLimits);
  /** The socket of each page, by its key. */
  readonly #pages = new Map<string, WebSocket>();
  readonly #pings: NodeJS.Timeout;
  readonly #unadmitted = new UnadmittedSockets();
  /** How many pings each page has not answered. */
  readonly #missed = new WeakMap<WebSocket, number>();
  #port = 0;

  private constructor({ files = readPageFiles(), tickets, onpage, pingMs }: PageServerOptions) {
    this.#files = files;
    this.#tickets = tickets ?? new TicketStore();
    this.#onpage = onpage;
    this.#http = createServer({ ...limits, IncomingMessage: headOnlyUnless(() => false) });
    this.#webSockets = new WebSocketServer({
      noServer: true,
      clientTracking: true,
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handleProtocols: (offered) => offered.has(LIVE_PROTOCOL) && LIVE_PROTOCOL,
    });
    this.#http.on("connection", (socket) => this.#unadmitted.add(socket));
    this.#http.on("upgrade", (request, duplex, head) => {
      const socket = duplex as Socket;
      socket.on("error", () => socket.destroy());
      if (request.headers.upgrade === undefined) void this.#answer(request, socket);
      else void this.#upgrade(request, socket, head);
    });
    this.#pings = setInterval(() => {
      for (const webSocket of this.#pages.values()) this.#ping(webSocket);
    }, pingMs ?? PING_MS);
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
    return `http://127.0.0.1:${this.#port}/#t=${this.#tickets.issue()}`;
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

  async #answer(request: IncomingMessage, socket: Socket): Promise<void> {
    expectNoMore(socket, READ_MS);
    const [path = ""] = (request.url ?? "").split("?");
    const file = path === WHY_PATH ? this.#why(request) : this.#files.get(path);
    const refusal =
      inspectOrigin(request, this.#port) ??
      inspectMethod(request) ??
      (file === undefined ? NOTHING : undefined) ??
      (await inspectUser(socket));
    if (refusal !== undefined || file === undefined) {
      sendLast(socket, request, this.#toAnswer(refusal ?? NOTHING));
      return;
    }
    const { type, body, isHashed } = file;
    const headers = {
      ...securityHeaders(this.#port),
      "Content-Type": type,
      "Cache-Control": isHashed ? "private, max-age=31536000, immutable" : NO_STORE,
    };
    sendLast(socket, request, { status: 200, headers, body });
  }

  /** Tells a page why it is refused: the browser hides how an upgrade was answered. */
  #why(request: IncomingMessage): PageFile {
    const refused = this.#inspect(readAskedCredentials(request)) ?? null;
    const body = Buffer.from(JSON.stringify({ refused }));
    return { type: "application/json", body, isHashed: false };
  }

  #toAnswer({ status, message }: PageRefusal): LastAnswer {
    const headers = {
      ...securityHeaders(this.#port),
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": NO_STORE,
      ...(status === 405 && { Allow: "GET, HEAD" }),
    };
    return { status, headers, body: `${message}\n` };
  }

  /** A client without a valid ticket or key gets no WebSocket, and nothing it sends is read. */
  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const given = readCredentials(request);
    const refusal =
      inspectOrigin(request, this.#port) ??
      inspectPath(request) ??
      this.#inspectOffer(given) ??
      // Before the ticket is used up, so that it stays valid for its owner.
      (await inspectUser(socket)) ??
      this.#inspectOffer(given);
    const key = refusal === undefined && given !== undefined ? this.#admit(given) : undefined;
    if (key === undefined) {
      endUnadmitted(socket, request, this.#toAnswer(refusal ?? NO_OFFER));
      return;
    }
    this.#unadmitted.delete(socket);
    this.#webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on("error", () => webSocket.terminate());
      this.#welcome(webSocket, socket, key);
    });
  }

  #inspectOffer(given: Credentials | undefined): PageRefusal | undefined {
    if (given === undefined) return NO_OFFER;
    const message = this.#inspect(given);
    return message === undefined ? undefined : { status: 401, message };
  }

  /** Why a client is refused; asking uses up no ticket. */
  #inspect({ ticket, key }: Credentials): string | undefined {
    const refused = ticket === undefined ? EXPIRED : this.#tickets.refusal(ticket);
    if (refused !== undefined && (key === undefined || !this.#tickets.knows(key))) return refused;
    return this.#pages.size >= MAX_PAGES ? `${MAX_PAGES} pages are open already` : undefined;
  }

  /** The key of a client that is admitted; uses up its ticket. */
  #admit({ ticket, key }: Credentials): string | undefined {
    const given = ticket === undefined ? undefined : this.#tickets.redeem(ticket, key);
    return given !== undefined && "key" in given ? given.key : key;
  }

  #ping(webSocket: WebSocket): void {
    const missed = this.#missed.get(webSocket) ?? 0;
    if (missed >= MAX_MISSED) webSocket.terminate();
    else webSocket.ping();
    this.#missed.set(webSocket, missed + 1);
  }

  #welcome(webSocket: WebSocket, socket: Socket, key: string): void {
    // A copy of a tab has its key as well, and a reload may be quicker than the end of the old page.
    this.#pages.get(key)?.close(CloseCode.PolicyViolation, "This page was opened in another tab");
    this.#pages.set(key, webSocket);
    webSocket.on("close", () => {
      if (this.#pages.get(key) === webSocket) this.#pages.delete(key);
    });
    webSocket.on("pong", () => this.#missed.delete(webSocket));
    const transport = createNodeWebSocketTransport(webSocket, socket, this.#frames);
    const peer = new Peer(transport, { maxBuffered: MAX_BUFFERED });
    new ClientMemory(socket, peer, this.#budget);
    this.#onpage(peer, key);
  }
}

const EXPIRED = "This tab's session has expired";

const NOTHING: PageRefusal = { status: 404, message: "There is nothing here" };

const NO_OFFER: PageRefusal = {
  status: 400,
  message: `Offer the sub-protocol ${LIVE_PROTOCOL}`,
};

async function inspectUser(socket: Socket): Promise<PageRefusal | undefined> {
  if (!(await isOfAnotherUser(socket))) return undefined;
  return {
    status: 403,
    message: "This page is for the user that started idewire, and for root",
  };
}
