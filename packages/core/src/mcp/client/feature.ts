import type { Unsubscribe } from "../../emitter.ts";
import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type { Capabilities, InitializeResult } from "../protocol.ts";
import type { Revision } from "../versions.ts";
import type { ListenOptions, ListenTopics, Subscription } from "./subscription.ts";

/** The conversation of one client with its server, as the features of the client see it. */
export interface ClientSession extends Redactor {
  /** The server's newest answer to `initialize` or `server/discover`. */
  readonly server: InitializeResult;
  /** The negotiated revision. */
  readonly revision: Revision;
  /** Resolves when the connection has closed for good. */
  readonly closed: Promise<CloseReason>;
  /** Sends a request, as `McpClient.request` does. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown>;
  /** Reports a fault of the server that leaves a part of its answer usable. */
  warn(words: string): void;
  /** Sends a notification once the server is initialized; the modern era has none from clients. */
  notify(method: string, params?: Params): void;
  /** Calls a listener for one kind of notification of the server. */
  on(method: string, listener: NotificationListener): Unsubscribe;
  /** Calls a listener when a list of the server has changed, as `McpClient.onListChanged` does. */
  onListChanged(list: ListName, listener: () => void): Unsubscribe;
  /** Calls a listener once when the server reports that the person has finished at a URL. */
  onElicitationComplete(elicitationId: string, listener: () => void): Unsubscribe;
  /** Opens a stream of notifications, as `McpClient.listen` does. */
  listen(topics: ListenTopics, options?: ListenOptions): Promise<Subscription>;
  /** Answers a question of the server, as the features do; undefined when none of them does. */
  answer(call: Call): { readonly result: unknown } | undefined;
}

/** The lists of a server. */
export type ListName = "tools" | "prompts" | "resources";

/** Receives the parameters of a notification. */
export type NotificationListener = (params: Params | undefined) => void;

/** A request with the options of its caller. */
export interface ClientRequest {
  readonly method: string;
  readonly params?: Params | undefined;
  readonly options?: RequestOptions | undefined;
}

/** Answers one method for a server; like a peer's handler, it throws RpcError to refuse. */
export type ClientHandler = (call: Call, session: ClientSession) => unknown;

/** Converts a result of an extension's type into the result that the caller of a request expects. */
export type ResultHandler = (
  result: Params,
  request: ClientRequest,
  session: ClientSession,
) => Promise<unknown>;

/**
 * A capability of a client that servers use, or a policy of the client. A feature is a value that is passed to the
 * client, so that a program loads only those in use; one value may serve several clients.
 */
export interface ClientFeature {
  /** What the client announces in a revision, whose traits are in {@link revisions}. */
  capabilities?(revision: Revision): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, ClientHandler>>;
  /** By `resultType`, in the modern era. */
  readonly results?: Readonly<Record<string, ResultHandler>>;
  /** Sends the requests of the legacy era in its own way, by means of `send`. */
  around?(
    this: void,
    request: ClientRequest,
    send: (request: ClientRequest) => Promise<unknown>,
    session: ClientSession,
  ): Promise<unknown>;
  /** Stores results of the modern era. */
  readonly cache?: ResultCache;
  /** Called by each client with the feature, before anything is sent. */
  attach?(session: ClientSession): void;
}

/** The results of one server that its clients store. */
export interface ResultCache {
  /** Called once by each client with the cache. */
  attach(): ClientCache;
}

/** The results that one client may use again. */
export interface ClientCache {
  /** The key of a request; undefined for one whose result is not stored. */
  keyOf(method: string, params?: Params): string | undefined;
  get(key: string): Params | undefined;
  /** Stores a result, in place of an earlier one, for the time that it allows. */
  set(key: string, result: Params): void;
  /** Removes the results that a notification reports as changed. */
  changed(method: string, params: Params | undefined): void;
}
