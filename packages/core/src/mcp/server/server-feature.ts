import type { Unsubscribe } from "../../emitter.ts";
import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { Capabilities } from "../protocol.ts";
import type { RevisionTraits } from "../versions.ts";
import type { Caller } from "./caller.ts";
import type { ResourceHandler, ResourceOptions } from "./features/resource-options.ts";
import type { ServerCall } from "./server-call.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { McpStore } from "./store.ts";
import type { Topic } from "./topic.ts";

/**
 * Answers one method for one client; like a peer's handler, it throws RpcError to refuse. (Written as
 * a method, so that a server with any context accepts a feature that needs none.)
 */
export type FeatureHandler<Context> = {
  handle(call: Call, caller: Caller<Context>): unknown;
}["handle"];

/** The server that a feature is attached to. */
export interface AttachedServer<Context = unknown> {
  /** The state that outlives a request, shared by the instances of the server. */
  readonly store: McpStore;
  /** Reports an unexpected error to the author. */
  readonly reportError: (error: unknown) => void;
  /** The clients that are connected now. */
  readonly connections: ReadonlySet<ServerConnection<Context>>;
  /**
   * Sends a notification of a change to every initialized client, of all instances of the server; it replaces an
   * unsent one of the same kind. A feature may restrict the recipients.
   */
  emit(method: string, params?: Params): void;
  /** The same for the clients of this instance only. */
  emitLocal(method: string, params?: Params): void;
  /** The definition of a tool, with the scopes that a call needs. */
  findTool(name: string): { readonly scopes?: readonly string[] | undefined } | undefined;
  /** Whether a client of this instance would receive it. */
  hasListeners(method: string, params?: Params): boolean;
  /** Adds a resource; the undo removes it again. */
  resource(
    uri: string,
    options: ResourceOptions<Context>,
    read: ResourceHandler<Context>,
  ): Unsubscribe;
}

/** The members of a server that its own features use. */
export interface FeatureOwner<Context> {
  /** How many entries a page of a list has; all of them by default. */
  readonly pageSize: number | undefined;
  emit(method: string, params?: Params): void;
  /** Notifies clients that a definition was added or removed. */
  definitionsChanged(method: string): void;
  /** Runs a handler of the author. */
  run<Result>(call: ServerCall<Context>, handler: () => Result): Result | Promise<Awaited<Result>>;
}

/** Decides whether a client of the legacy era receives a notification of a change. */
export type Audience<Context> = {
  receives(client: Caller<Context>, params: Params | undefined): boolean;
}["receives"];

/** An extension of a server. It has no state of clients: that is in their settings. */
export interface ServerFeature<Context = unknown> {
  /** The capabilities that `initialize` announces. */
  capabilities(traits: RevisionTraits): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** By method. */
  readonly notifications?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** The recipients of its notifications of changes in the legacy era, by method; all clients by default. */
  readonly audiences?: Readonly<Record<string, Audience<Context>>>;
  /** Its topics of `subscriptions/listen`, by the member of the filter. */
  readonly topics?: Readonly<Record<string, Topic>>;
  /** Called once, by the feature's server. */
  attach?(server: AttachedServer<Context>): void;
}
