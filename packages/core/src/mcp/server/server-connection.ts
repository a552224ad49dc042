import type { Call, CallOwner } from "../../rpc/call.ts";
import type { Params, RequestId } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type { Capabilities, Implementation } from "../protocol.ts";
import type { LegacyRevision } from "../versions.ts";
import type { Caller, ClientSettings, RequestTarget } from "./caller.ts";

/** The origin of a message: a connection, or a single HTTP request. */
export interface RequestSource<Context = unknown> extends CallOwner {
  readonly context: Context;
  readonly principal: string | undefined;
  /** As in `Caller`. */
  readonly scopes: readonly string[] | undefined;
  /** As in `Caller`. */
  onforbidden?(needed: readonly string[]): void;
  /** As in `HandleOptions`. */
  refuses?(request: RequestTarget): boolean | undefined;
  /**
   * Sends a notification of a state, formatted already, so that a fan-out serialises it once. While
   * the client reads slowly, only the newest frame of each `key` is kept.
   * @param about the client's request that it belongs to
   */
  sendState(key: string, frame: string, about?: RequestId): void;
}

/**
 * One connection to a server. It is the {@link Caller} of its legacy requests, with the parameters negotiated by
 * `initialize`.
 */
export interface ServerConnection<Context = unknown>
  extends Caller<Context>,
    RequestSource<Context> {
  readonly peer: Peer;
  readonly revision: LegacyRevision | undefined;
  /** The state with which another connection can continue; undefined before `initialize`. */
  readonly session: SessionState | undefined;
  /** Continues with the changes of the session elsewhere; the observer is not notified. */
  restore(session: SessionState): void;
}

/** A legacy session as plain JSON: the negotiated parameters and the client's settings. */
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

/** The client's part of the options of `McpServer.open`. */
export interface OpenedBy<Context> {
  /** That of the newest request, where it changes. */
  readonly context: Context;
  send(frame: string, about?: RequestId, state?: string): void;
  releaseStream?(about: RequestId, retryMs: number): boolean;
  onforbidden?(needed: readonly string[]): void;
  onchange?(session: SessionState): void;
}

/** The options of one connection. */
export interface ConnectOptions<Context> {
  /** Passed to every tool that this connection calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated; unknown by default. */
  readonly principal?: string | undefined;
  /** The scopes of its authorization, for tools that need some; none by default. */
  readonly scopes?: readonly string[] | undefined;
  /** The only era of the connection; by default all eras of the server. */
  readonly era?: "legacy" | "modern";
  /** Continues a session, which needs no further `initialize`. */
  readonly session?: SessionState | undefined;
  readonly observer?: ConnectionObserver | undefined;
  /** How the client is reached without a transport: an object, so that requests create no functions. */
  readonly opened?: OpenedBy<Context>;
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle">;
}
