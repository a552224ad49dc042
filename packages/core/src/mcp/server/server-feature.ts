import type { Call } from "../../rpc/call.ts";
import type { Capabilities } from "../protocol.ts";
import type { RevisionTraits } from "../versions.ts";
import type { LegacyServerConnection } from "./legacy-server-connection.ts";
import type { McpServer } from "./server.ts";

/**
 * Answers one method for one client; as a peer's handler, it throws RpcError to refuse. (It is
 * written as a member so that a server of any context takes a feature that needs none.)
 */
export type FeatureHandler<Context> = {
  handle(call: Call, connection: LegacyServerConnection<Context>): unknown;
}["handle"];

/**
 * What a server offers beside its tools. Features are values that are handed to the server, so that
 * a bundle holds those that it uses. What a feature keeps of a connection, it keeps itself, and only
 * once the client has used it.
 */
export interface ServerFeature<Context = unknown> {
  /** What `initialize` announces. */
  capabilities(traits: RevisionTraits): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** By method. */
  readonly notifications?: Readonly<Record<string, FeatureHandler<Context>>>;
  /** Called once, by the server that it is given to. */
  attach?(server: McpServer<Context>): void;
}
