import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { headOnlyUnless, isHeadOnly } from "./head-only.ts";
import { endRefused, endUnadmitted, type LastAnswer, type LastClose } from "./last-answer.ts";
import { type ListenPlace, listenAt } from "./listen-at.ts";
import { UnadmittedSockets } from "./unadmitted-sockets.ts";

/** How long the head of a request may take; an honest client sends it at once. */
const HEAD_TIMEOUT_MS = 5_000;
/** How long a body may take: an answer may wait for a person, a request does not. */
const BODY_TIMEOUT_MS = 30_000;
const MAX_HEAD_BYTES = 16_384;

/** An admitted client, or the only answer to one that is refused. */
export type Verdict<Client> = { readonly client: Client } | LastAnswer | LastClose;

/** A request to upgrade to another protocol. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** The bytes that arrived with the request. */
  readonly head: Buffer;
}

/** A request whose body may be read. */
export interface AdmittedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
}

/** Which clients a {@link LoopbackServer} admits, and how it serves them. */
export interface LoopbackServerOptions<Client> {
  /**
   * Judges a request by its head, once, before anything else of it is read. It must not throw. Until a promise
   * resolves, the client is not admitted.
   */
  readonly admit: (request: IncomingMessage) => Verdict<Client> | Promise<Verdict<Client>>;
  /** Handles an admitted upgrade; without it upgrades are not supported. */
  readonly onupgrade?: (client: Client, upgrade: Upgrade) => void;
  /** Answers any other admitted request; without it only heads are read. */
  readonly onrequest?: (client: Client, admitted: AdmittedRequest) => void;
  /** Called with the error when a refusal cannot be written; its connection ends. */
  readonly onerror?: (error: unknown) => void;
  /** The time limit of a request's head; 5,000 by default. */
  readonly headTimeoutMs?: number;
}

/**
 * An HTTP server for clients on this machine. Of clients that are not admitted it reads only the head of one
 * request, and keeps at most 512 connections. The caller closes it.
 */
export class LoopbackServer<Client> {
  readonly #options: LoopbackServerOptions<Client>;
  readonly #http: Server;
  readonly #unadmitted = new UnadmittedSockets();
  readonly #upgraded = new Set<Socket>();
  /** One function for all sockets, which are its `this`: idle connections cost little. */
  readonly #forget: (this: Socket) => void;

  constructor(options: LoopbackServerOptions<Client>) {
    this.#options = options;
    const { onrequest, headTimeoutMs = HEAD_TIMEOUT_MS } = options;
    const headersTimeout = Math.min(headTimeoutMs, HEAD_TIMEOUT_MS);
    const upgraded = this.#upgraded;
    this.#forget = function () {
      upgraded.delete(this);
    };
    this.#http = createServer({
      headersTimeout,
      requestTimeout: onrequest === undefined ? headersTimeout : BODY_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(1_000, headersTimeout),
      maxHeaderSize: MAX_HEAD_BYTES,
      noDelay: true,
      IncomingMessage: headOnlyUnless(
        (request) => onrequest !== undefined && !isRefusal(this.#judge(request)),
      ),
    });
    this.#http.on("connection", (socket) => this.#unadmitted.add(socket));
    this.#http.on("upgrade", (request, socket, head) => {
      this.#receiveHead({ request, socket: socket as Socket, head });
    });
    this.#http.on("request", (request, response) => {
      this.#receive({ request, response, expectsContinue: false });
    });
    this.#http.on("checkContinue", (request, response) => {
      this.#receive({ request, response, expectsContinue: true });
    });
  }

  /**
   * @returns the port; 0 for a socket of the file system
   * @throws IdewireError `port-in-use` when the place is taken, `invalid-argument` when it cannot be listened on
   */
  async listen(place: ListenPlace): Promise<number> {
    await listenAt(this.#http, place);
    return this.port;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo | null)?.port ?? 0;
  }

  /** The number of open upgraded connections. */
  get upgradedCount(): number {
    return this.#upgraded.size;
  }

  /** Stops listening, and resolves when all clients have disconnected, or were terminated after the grace period. */
  async close(graceMs = 0): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeIdleConnections();
    // Answers of this turn are still sent.
    const timer = setTimeout(() => {
      for (const socket of this.#upgraded) socket.destroy();
      this.#unadmitted.destroy();
      this.#http.closeAllConnections();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }

  #judge(request: IncomingMessage): Verdict<Client> | Promise<Verdict<Client>> {
    const judged: { verdict?: Verdict<Client> | Promise<Verdict<Client>> } = request as object;
    judged.verdict ??= this.#options.admit(request);
    return judged.verdict;
  }

  /** A request whose head alone is read. */
  #receiveHead(upgrade: Upgrade): void {
    // Nothing else listens for this.
    upgrade.socket.on("error", destroy);
    const verdict = this.#judge(upgrade.request);
    if (verdict instanceof Promise) void verdict.then((late) => this.#settle(late, upgrade));
    else this.#settle(verdict, upgrade);
  }

  #settle(verdict: Verdict<Client>, upgrade: Upgrade): void {
    const { request, socket } = upgrade;
    const { onupgrade } = this.#options;
    if (isRefusal(verdict)) endUnadmitted(socket, request, verdict);
    else if (onupgrade === undefined) endUnadmitted(socket, request, NO_UPGRADE);
    else if (!socket.destroyed) {
      this.#unadmitted.delete(socket);
      this.#upgraded.add(socket);
      socket.on("close", this.#forget);
      onupgrade(verdict.client, upgrade);
    }
  }

  #receive(admitted: AdmittedRequest): void {
    const { request } = admitted;
    const verdict = this.#judge(request);
    if (verdict instanceof Promise) void verdict.then((late) => this.#answer(late, admitted));
    // Even if Node has not consulted its class, nothing more is read.
    else if (isRefusal(verdict) && isHeadOnly(request)) {
      endUnadmitted(request.socket, request, verdict);
    } else this.#answer(verdict, admitted);
  }

  #answer(verdict: Verdict<Client>, admitted: AdmittedRequest): void {
    const { request } = admitted;
    if (isRefusal(verdict)) this.#refuse(verdict, admitted);
    else {
      this.#unadmitted.delete(request.socket);
      this.#options.onrequest?.(verdict.client, admitted);
    }
  }

  #refuse(verdict: LastAnswer | LastClose, { request, response }: AdmittedRequest): void {
    try {
      endRefused(request, response, "code" in verdict ? NO_UPGRADE : verdict);
    } catch (error) {
      this.#options.onerror?.(error);
      response.destroy();
    }
  }
}

const NO_UPGRADE: LastAnswer = {
  status: 400,
  headers: { "Content-Type": "text/plain; charset=utf-8" },
  body: "No upgrade is understood here\n",
};

function isRefusal<Client>(
  verdict: Verdict<Client> | Promise<Verdict<Client>>,
): verdict is LastAnswer | LastClose {
  return "status" in verdict || "code" in verdict;
}

/** Not a closure: one in a method would retain the whole request for the life of the socket. */
function destroy(this: Socket): void {
  this.destroy();
}
