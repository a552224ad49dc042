import { IdewireError } from "../../errors.ts";
import { BackOff } from "../../rpc/back-off.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";
import type {
  ClientConnection,
  ConnectionOwner,
  HandshakeOptions,
  SendRequestOver,
} from "./connection.ts";
import type { ClientRequest } from "./feature.ts";
import { waitWithin } from "./wait-within.ts";

/** Opens a new transport to the same server: starts its process, dials its socket, begins an HTTP session. */
export type OpenTransport = () => Transport | Promise<Transport>;

const FIRST_DELAY_MS = 500;

interface ReopeningOptions {
  readonly clock?: Clock | undefined;
  /** Whether a transport is replaced after the handshake too; true by default. */
  readonly reopen?: boolean | undefined;
}

/**
 * A connection that outlives its transports: one that closed, or whose session the server has ended, is replaced
 * for the next request, or at once where the client listens to notifications of the server. Requests in flight are
 * not repeated; they fail with `lost`.
 */
export class ReopeningConnection implements ClientConnection {
  readonly closed: Promise<CloseReason>;
  readonly #open: OpenTransport;
  readonly #owner: ConnectionOwner;
  readonly #clock: Clock;
  readonly #mayReopen: boolean;
  #peer: Peer | undefined;
  #isOpen = false;
  #opening: Promise<Peer> | undefined;
  #isOver = false;
  #finish: (reason: CloseReason) => void = () => {};
  readonly #backOff: BackOff;

  /** @param open called now, and after the transport has closed by itself */
  constructor(
    open: OpenTransport,
    owner: ConnectionOwner,
    { clock = systemClock, reopen = true }: ReopeningOptions = {},
  ) {
    this.#open = open;
    this.#owner = owner;
    this.#clock = clock;
    this.#backOff = new BackOff({ firstDelayMs: FIRST_DELAY_MS, startsAtOnce: true, clock });
    this.#mayReopen = reopen;
    this.closed = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  get peer(): Peer {
    if (this.#peer === undefined) throw new IdewireError("protocol", "not connected yet");
    return this.#peer;
  }

  async start(options: HandshakeOptions): Promise<void> {
    const peer = this.#adopt(await this.#open());
    try {
      await this.#owner.handshake(peer, options);
    } catch (error) {
      if (!this.#owner.mayHandshakeAgain()) throw error;
      await this.#current();
      return;
    }
    this.#isOpen = true;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#isOver = true;
    this.#backOff.cancel();
    this.#peer?.close(code, reason);
    // A transport that has closed before reports nothing more.
    if (!this.#isOpen) this.#finish({ code, reason });
  }

  async request(request: ClientRequest, inModern: SendRequestOver): Promise<unknown> {
    const { method, options = {} } = request;
    for (let attempt = 1; ; attempt++) {
      const peer = await this.#reach(method, options).catch((error) => {
        throw this.#isOver ? error : unsent(method, error);
      });
      try {
        const answer = await this.#owner.sendOver(peer, request, inModern);
        this.#backOff.reset();
        return answer;
      } catch (error) {
        if (!(error instanceof IdewireError)) throw error;
        if (error.code === "closed" && !this.#isOver && this.#mayReopen) throw lost(method, error);
        const isTaken = error.code !== "unreachable" || peer.transport.reaches?.() !== false;
        if (isTaken || attempt > 1) throw error;
        await peer.closed;
      }
    }
  }

  #current(): Promise<Peer> {
    // A request over the last peer fails with the reason of its end.
    if (this.#isOver && !this.#mayReopen) return Promise.resolve(this.peer);
    if (this.#isOver) {
      return Promise.reject(new IdewireError("closed", "The connection was closed by this side"));
    }
    if (this.#isOpen) return Promise.resolve(this.peer);
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #reach(method: string, options: RequestOptions): Promise<Peer> {
    const current = this.#current();
    return this.#isOpen ? current : waitWithin(current, method, options, this.#clock);
  }

  async #reopen(): Promise<Peer> {
    this.#backOff.cancel();
    const peer = this.#adopt(await this.#open());
    try {
      await this.#owner.handshake(peer);
    } catch (error) {
      peer.close(CloseCode.PolicyViolation, "initialize failed");
      throw error;
    }
    this.#isOpen = true;
    // The client was closed in the meantime.
    if (this.#isOver) this.close();
    else this.#owner.restore();
    return peer;
  }

  #adopt(transport: Transport): Peer {
    const peer = this.#owner.createPeer(transport);
    this.#peer = peer;
    void peer.closed.then((reason) => {
      const wasOpen = this.#isOpen;
      this.#isOpen = false;
      if (!this.#mayReopen && wasOpen) this.#isOver = true;
      if (this.#isOver) this.#finish(reason);
      else this.#reopenForListeners();
    });
    return peer;
  }

  /** Opens again at once, and if that fails, or the server ends at once, ever more slowly. */
  #reopenForListeners(): void {
    if (this.#isOver || this.#opening !== undefined || !this.#owner.hasListeners()) return;
    this.#backOff.schedule(() => {
      this.#current().catch(() => this.#reopenForListeners());
    });
  }
}

/** The codes for requests of unknown outcome: here of the handshake, not of the waiting request. */
const OPEN: ReadonlySet<string> = new Set(["lost", "closed", "timeout"]);

function unsent(method: string, cause: unknown): unknown {
  if (!(cause instanceof IdewireError) || !OPEN.has(cause.code)) return cause;
  const message = `${method}: not sent, since the server cannot be reached again: ${cause.message}`;
  return new IdewireError("unreachable", message, { cause });
}

function lost(method: string, cause: IdewireError): IdewireError {
  const message = `${method}: the connection broke before the answer, so it may have been carried out`;
  return new IdewireError("lost", message, { cause });
}
