import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { CloseCode, Peer, type Transport } from "@idewire/core/rpc";
import {
  defaultLimits,
  type LastAnswer,
  LoopbackServer,
  MemoryBudget,
  type Refusal,
  type Upgrade,
  type Verdict,
  WebSocketClients,
} from "@idewire/node-server/internal";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { isOfAnotherUser } from "./peer-user.ts";
import { TicketStore } from "./ticket-store.ts";
import {
  type Credentials,
  inspectMethod,
  inspectOrigin,
  inspectPath,
  LIVE_PROTOCOL,
  readAskedCredentials,
  readCredentials,
  securityHeaders,
  WHY_PATH,
} from "./upgrade.ts";

/** Enough for two texts of 4 Mi units, escaped and in UTF-8; also the limit of unread bytes of a page. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 32;
/** How long pages have to disconnect at the end: they answer a close at once; a suspended one never does. */
const CLOSE_TIMEOUT_MS = 300;
/** How long a page may take to read a file. */
const READ_MS = 10_000;
const NO_STORE = "no-store";

/** How pages are served. */
export interface PageServerOptions {
  /** Any free port when left out. */
  readonly port?: number;
  /** The page of this package when left out. */
  readonly files?: ReadonlyMap<string, PageFile>;
  readonly tickets?: TicketStore;
  /** The interval between pings to each page; 15,000 when left out. */
  readonly pingMs?: number;
  /** Called for each admitted page; `key` admits it again. */
  readonly onpage: (peer: Peer, key: string) => void;
}

/** Serves the page on loopback, and a WebSocket to each page that has a ticket. The caller closes it. */
export class PageServer {
  readonly #server: LoopbackServer<string>;
  readonly #clients: WebSocketClients;
  readonly #files: ReadonlyMap<string, PageFile>;
  readonly #tickets: TicketStore;
  readonly #onpage: PageServerOptions["onpage"];
  /** The peer of each page, by its key. */
  readonly #pages = new Map<string, Peer>();
  #port = 0;

  private constructor({ files = readPageFiles(), tickets, onpage, pingMs }: PageServerOptions) {
    this.#files = files;
    this.#tickets = tickets ?? new TicketStore();
    this.#onpage = onpage;
    const { keepAliveMs, handshakeTimeoutMs } = defaultLimits;
    this.#clients = new WebSocketClients({
      protocol: LIVE_PROTOCOL,
      limits: {
        ...{ maxFrameBytes: MAX_FRAME_BYTES, handshakeTimeoutMs },
        keepAliveMs: pingMs ?? keepAliveMs,
      },
      budget: new MemoryBudget(defaultLimits),
    });
    this.#server = new LoopbackServer({
      admit: (request) =>
        request.headers.upgrade === undefined ? this.#answer(request) : this.#admit(request),
      onupgrade: (key, upgrade) => this.#accept(key, upgrade),
    });
  }

  /** @throws IdewireError `port-in-use` */
  static async open(options: PageServerOptions): Promise<PageServer> {
    const server = new PageServer(options);
    try {
      const { port } = options;
      server.#port = await server.#server.listen(port === undefined ? {} : { port });
    } catch (error) {
      server.#clients.close();
      throw error;
    }
    return server;
  }

  get port(): number {
    return this.#port;
  }

  /** Creates an address that opens the page once, within a minute. */
  createLink(): string {
    return `http://127.0.0.1:${this.#port}/#t=${this.#tickets.issue()}`;
  }

  close(): Promise<void> {
    this.#clients.close();
    for (const peer of this.#pages.values()) peer.close(CloseCode.GoingAway, "idewire has stopped");
    return this.#server.close(CLOSE_TIMEOUT_MS);
  }

  /** Serves a file to admitted clients. */
  async #answer(request: IncomingMessage): Promise<LastAnswer> {
    const [path = ""] = (request.url ?? "").split("?");
    const file = path === WHY_PATH ? this.#why(request) : this.#files.get(path);
    const refusal =
      inspectOrigin(request, this.#port) ??
      inspectMethod(request) ??
      (file === undefined ? NOTHING : undefined) ??
      (await inspectUser(request.socket));
    if (refusal !== undefined || file === undefined) return this.#refuse(refusal ?? NOTHING);
    const { type, body, isHashed, headers: own } = file;
    const headers = {
      ...securityHeaders(this.#port),
      ...own,
      "Content-Type": type,
      "Cache-Control": isHashed ? "private, max-age=31536000, immutable" : NO_STORE,
    };
    return { status: 200, headers, body, graceMs: READ_MS };
  }

  /** Returns the reason of a refusal to a page: the browser hides the response to an upgrade. */
  #why(request: IncomingMessage): PageFile {
    const refused = this.#inspect(readAskedCredentials(request)) ?? null;
    const body = Buffer.from(JSON.stringify({ refused }));
    return { type: "application/json", body, isHashed: false };
  }

  #refuse({ status, message }: Refusal): LastAnswer {
    const headers = {
      ...securityHeaders(this.#port),
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": NO_STORE,
      ...(status === 405 && { Allow: "GET, HEAD" }),
    };
    return { status, headers, body: `${message}\n` };
  }

  /** The key of a client with a valid ticket or key. */
  async #admit(request: IncomingMessage): Promise<Verdict<string>> {
    const given = readCredentials(request);
    const refusal =
      inspectOrigin(request, this.#port) ??
      inspectPath(request) ??
      this.#inspectOffer(given) ??
      // Checked before the ticket is redeemed, so that it stays valid for its owner.
      (await inspectUser(request.socket)) ??
      this.#inspectOffer(given);
    const key = refusal === undefined && given !== undefined ? this.#redeem(given) : undefined;
    return key === undefined ? this.#refuse(refusal ?? NO_OFFER) : { client: key };
  }

  #inspectOffer(given: Credentials | undefined): Refusal | undefined {
    if (given === undefined) return NO_OFFER;
    const message = this.#inspect(given);
    return message === undefined ? undefined : { status: 401, message };
  }

  /** Why a client is refused; does not use up the ticket. */
  #inspect({ ticket, key }: Credentials): string | undefined {
    const refused = ticket === undefined ? EXPIRED : this.#tickets.refusal(ticket);
    if (refused !== undefined && (key === undefined || !this.#tickets.knows(key))) return refused;
    return this.#pages.size >= MAX_PAGES ? `${MAX_PAGES} pages are open already` : undefined;
  }

  /** The key of an admitted client; uses up its ticket. */
  #redeem({ ticket, key }: Credentials): string | undefined {
    const given = ticket === undefined ? undefined : this.#tickets.redeem(ticket, key);
    if (given !== undefined && "key" in given) return given.key;
    if (key !== undefined) this.#tickets.use(key);
    return key;
  }

  #accept(key: string, upgrade: Upgrade): void {
    this.#clients.accept(upgrade, (transport) => ({ peer: this.#open(key, transport) }));
  }

  #open(key: string, transport: Transport): Peer {
    const peer = new Peer(transport, { maxBuffered: MAX_FRAME_BYTES });
    // A duplicated tab has the same key, and a reload may be faster than the end of the old page.
    this.#pages.get(key)?.close(CloseCode.PolicyViolation, "This page was opened in another tab");
    this.#pages.set(key, peer);
    void peer.closed.then(() => {
      if (this.#pages.get(key) === peer) this.#pages.delete(key);
    });
    this.#onpage(peer, key);
    return peer;
  }
}

const EXPIRED = "This tab's session has expired";

const NOTHING: Refusal = { status: 404, message: "Nothing is served here" };

const NO_OFFER: Refusal = {
  status: 400,
  message: `Offer the sub-protocol ${LIVE_PROTOCOL}`,
};

async function inspectUser(socket: Socket): Promise<Refusal | undefined> {
  if (!(await isOfAnotherUser(socket))) return undefined;
  return {
    status: 403,
    message: "This page is for the user that started idewire, and for root",
  };
}
