import type { Call, CallOwner } from "../../rpc/call.ts";
import type { Params, RequestId } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type { Capabilities, Implementation } from "../protocol.ts";
import type { LegacyRevision } from "../versions.ts";
import type { Caller, ClientSettings } from "./caller.ts";

/** Where a message comes from: a connection, or an HTTP request that brings nothing else. */
export interface RequestSource<Context = unknown> extends CallOwner {
  readonly context: Context;
  readonly principal: string | undefined;
  /** As in `Caller`. */
  readonly scopes: readonly string[] | undefined;
  /** As in `Caller`. */
  onforbidden?(needed: readonly string[]): void;
  /**
   * Sends a notification of a state, formatted already, so that a fan-out serialises it once. While
   * the client reads slowly, only the newest frame of each `key` is kept.
   * @param about the client's request that it belongs to
   */
  sendState(key: string, frame: string, about?: RequestId): void;
}

/**
 * One connection to a server. It is the {@link Caller} of its legacy requests: what it says of the client
 * is what `initialize` has negotiated.
 */
export interface ServerConnection<Context = unknown>
  extends Caller<Context>,
    RequestSource<Context> {
  readonly peer: Peer;
  readonly revision: LegacyRevision | undefined;
  /** What has to be kept so that another connection can continue; undefined before `initialize`. */
  readonly session: SessionState | undefined;
  /** Continues with the changes of the session elsewhere; the observer is not notified. */
  restore(session: SessionState): void;
}

/** A legacy session as a plain JSON value: what a client has negotiated and set. */
export interface SessionState {
  readonly revision: LegacyRevision;
  readonly clientInfo: Implementation;
  readonly clientCapabilities: Capabilities;
  /** Whether `notifications/initialized` has arrived. */
  readonly initialized: boolean;
  readonly settings: ClientSettings;
}

/** Called for the messages of one connection, before the server acts on them. */
export interface ConnectionObserver {
  /** A request or notification has arrived. */
  oncall?(call: Call): void;
  /** The client has introduced itself; the answer is about to be sent. */
  oninitialize?(client: Implementation): void;
  /** The client is ready: `notifications/initialized` has arrived. */
  oninitialized?(): void;
  /** {@link ServerConnection.session} has changed. */
  onchange?(session: SessionState): void;
  /** A notification has arrived that MCP does not define. */
  onnotification?(method: string, params: Params | undefined): void;
  /** The connection has closed. */
  onclose?(reason: CloseReason): void;
}

/** What `McpServer.open` is given of its client. */
export interface OpenedBy {
  send(frame: string, about?: RequestId, state?: string): void;
  releaseStream?(about: RequestId, retryMs: number): boolean;
  onforbidden?(needed: readonly string[]): void;
  onchange?(session: SessionState): void;
}

/** What one connection is made with. */
export interface ConnectOptions<Context> {
  /** Passed to every tool that this connection calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated; unknown by default. */
  readonly principal?: string | undefined;
  /** The scopes of its authorization, for tools that need some; none by default. */
  readonly scopes?: readonly string[] | undefined;
  /** The only era that the connection may speak; by default all that the server does. */
  readonly era?: "legacy" | "modern";
  /** Continues a session, which needs no further `initialize`. */
  readonly session?: SessionState | undefined;
  readonly observer?: ConnectionObserver;
  /** How the client is reached where no transport does it all: an object, so that no request makes functions. */
  readonly opened?: OpenedBy;
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle">;
}
