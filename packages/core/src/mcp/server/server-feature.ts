import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { Capabilities } from "../protocol.ts";
import type { RevisionTraits } from "../versions.ts";
import type { Caller } from "./caller.ts";
import type { ServerConnection } from "./server-connection.ts";
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
  /** The clients that are connected now. */
  readonly connections: ReadonlySet<ServerConnection<Context>>;
  /**
   * Sends a notification of a change to every initialized client; it replaces an unsent one that says the
   * same.
   * @param isFor picks the clients of the legacy era; those of the modern one have said what they listen to
   */
  emit(method: string, params?: Params, isFor?: (client: Caller<Context>) => boolean): void;
}

/**
 * What a server offers beside its tools. A feature is a value that the server is given, so that a
 * bundle contains only the features in use. It keeps nothing of a client: that is in its settings.
 */
export interface ServerFeature<Context = unknown> {
  /** What `initialize` announces. */
  capabilities(traits: RevisionTraits): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** By method. */
  readonly notifications?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** What `subscriptions/listen` may ask of it, by the member of the filter. */
  readonly topics?: Readonly<Record<string, Topic>>;
  /** Called once, by the server that the feature is given to. */
  attach?(server: AttachedServer<Context>): void;
}
