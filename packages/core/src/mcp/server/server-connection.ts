import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import type { Capabilities, Implementation } from "../protocol.ts";
import type { LegacyRevision, RevisionTraits } from "../versions.ts";

/** One client of a server, as tools and features see it. */
export interface ServerConnection<Context = unknown> {
  readonly peer: Peer;
  /** The negotiated revision; undefined before `initialize`. */
  readonly revision: LegacyRevision | undefined;
  /** Whether the client has sent `notifications/initialized`. */
  readonly initialized: boolean;
  /** Passed to every tool that the client calls. */
  readonly context: Context;
  /** What the negotiated revision supports; before `initialize`, what the newest one does. */
  readonly traits: RevisionTraits;
  /** The capabilities that the client has announced; none before `initialize`. */
  readonly clientCapabilities: Capabilities;
  /**
   * Sends the client a request.
   * @throws IdewireError `protocol` when the client has not announced the capability that the method
   * needs, or is not initialized: before that, it would take any request for the answer to its own
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
  /**
   * Sends a notification of a state, formatted already, so that a fan-out serialises it once. While
   * the client reads slowly, only the newest frame of each `key` is kept.
   */
  sendState(key: string, frame: string): void;
}

/** Called for the messages of one connection, before the server acts on them. */
export interface ConnectionObserver {
  /** A request or notification has arrived. */
  oncall?(call: Call): void;
  /** The client has introduced itself; the answer is about to be sent. */
  oninitialize?(client: Implementation): void;
  /** The client is ready: `notifications/initialized` has arrived. */
  oninitialized?(): void;
  /** A notification has arrived that MCP does not define. */
  onnotification?(method: string, params: Params | undefined): void;
}

/** What one connection is made with. */
export interface ConnectOptions<Context> {
  /** Passed to every tool that this connection calls. */
  readonly context: Context;
  readonly observer?: ConnectionObserver;
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle">;
}
