import type { Call } from "../../rpc/call.ts";
import type { Capabilities } from "../protocol.ts";
import type { RevisionTraits } from "../versions.ts";
import type { ServerConnection } from "./server-connection.ts";

/**
 * Answers one method for one client; like a peer's handler, it throws RpcError to refuse. (Written as
 * a method, so that a server with any context accepts a feature that needs none.)
 */
export type FeatureHandler<Context> = {
  handle(call: Call, connection: ServerConnection<Context>): unknown;
}["handle"];

/** The server that a feature is attached to. */
export interface AttachedServer<Context = unknown> {
  /** The clients that are connected now. */
  readonly connections: ReadonlySet<ServerConnection<Context>>;
  /** Sends a notification to every initialized client; it replaces an unsent one of the method. */
  emit(method: string): void;
}

/**
 * What a server offers beside its tools. A feature is a value that the server is given, so that a
 * bundle contains only the features in use. State of a connection is kept by the feature itself, and
 * only once the client has used it.
 */
export interface ServerFeature<Context = unknown> {
  /** What `initialize` announces. */
  capabilities(traits: RevisionTraits): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** By method. */
  readonly notifications?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** Called once, by the server that the feature is given to. */
  attach?(server: AttachedServer<Context>): void;
}
