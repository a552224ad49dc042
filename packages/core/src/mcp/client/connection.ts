import type { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CloseReason, Transport } from "../../rpc/transport.ts";

/** How a client reaches its server: over one transport, or over several, one after another. */
export interface ClientConnection {
  /** The newest peer; closed when its transport is. */
  readonly peer: Peer;
  /** Resolves when no further transport will be opened; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Makes it ready for requests. */
  start(request: RequestOptions | undefined): Promise<void>;
  /**
   * Has a request sent over the newest peer; once more over the next one where the first cannot have taken it.
   * @param send sends it; what the server speaks may have changed since the time before
   * @param options how long a new peer is waited for, and what ends that
   */
  request(method: string, send: SendRequestOver, options?: RequestOptions): Promise<unknown>;
  close(code?: number, reason?: string): void;
}

/** Sends a request over a peer. */
export type SendRequestOver = (peer: Peer) => Promise<unknown>;

/** What a connection needs of its client. */
export interface ConnectionOwner {
  createPeer(transport: Transport): Peer;
  /** Makes a new peer ready for requests: the handshake. */
  greet(peer: Peer, request?: RequestOptions): Promise<void>;
  /** Whether a greeting that has failed is worth another transport, since the next one is another. */
  greetsAnew(): boolean;
  /** Restores what the server before was told. */
  restore(): void;
  /** Whether somebody listens to what the server says unasked. */
  isHeard(): boolean;
}

/** Creates the connection of one client. */
export type Connector = (owner: ConnectionOwner) => ClientConnection;

/** A connection that lasts as long as its transport. */
export function connectOnce(transport: Transport): Connector {
  return (owner) => {
    const peer = owner.createPeer(transport);
    return {
      peer,
      closed: peer.closed,
      start: (request) => owner.greet(peer, request),
      request: (_, send) => send(peer),
      close: (code, reason) => peer.close(code, reason),
    };
  };
}
