import type { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CloseReason, Transport } from "../../rpc/transport.ts";
import type { ClientRequest } from "./feature.ts";

/** How a client reaches its server: over one transport, or over several, one after another. */
export interface ClientConnection {
  /** The newest peer; closed when its transport is. */
  readonly peer: Peer;
  /** Resolves when no further transport will be opened; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Makes it ready for requests. */
  start(options: HandshakeOptions): Promise<void>;
  /**
   * Has the owner send a request over the newest peer; again over the next one if the first cannot have received it.
   * The options of the request limit the wait for a new peer.
   * @param inModern as for {@link ConnectionOwner.sendOver}
   */
  request(request: ClientRequest, inModern: SendRequestOver): Promise<unknown>;
  close(code?: number, reason?: string): void;
}

/** Sends a request over a peer. */
export type SendRequestOver = (peer: Peer, request: ClientRequest) => Promise<unknown>;

/** The time-out of a handshake, and the signal that cancels it. */
export type HandshakeOptions = Pick<RequestOptions, "signal" | "timeoutMs">;

/** The client of a connection. */
export interface ConnectionOwner {
  createPeer(transport: Transport): Peer;
  /**
   * Sends a request in the era of the server, which may have changed since the request was made.
   * @param inModern sends it in the modern era
   */
  sendOver(peer: Peer, request: ClientRequest, inModern: SendRequestOver): Promise<unknown>;
  /** Makes a new peer ready for requests. */
  handshake(peer: Peer, options?: HandshakeOptions): Promise<void>;
  /** Whether a handshake that has failed may succeed over another transport. */
  mayHandshakeAgain(): boolean;
  /** Restores the settings of the previous server. */
  restore(): void;
  /** Whether anything listens to notifications of the server. */
  hasListeners(): boolean;
}

/** A connection that lasts as long as its transport. */
export function connectOnce(transport: Transport, owner: ConnectionOwner): ClientConnection {
  const peer = owner.createPeer(transport);
  return {
    peer,
    closed: peer.closed,
    start: (options) => owner.handshake(peer, options),
    request: (request, inModern) => owner.sendOver(peer, request, inModern),
    close: (code, reason) => peer.close(code, reason),
  };
}
