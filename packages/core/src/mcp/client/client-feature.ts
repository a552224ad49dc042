import type { Call } from "../../rpc/call.ts";
import type { Capabilities } from "../protocol.ts";
import type { RevisionTraits } from "../versions.ts";
import type { McpClient } from "./client.ts";

/** Answers one method of a server; as a peer's handler, it throws RpcError to refuse. */
export type ClientHandler = (call: Call, client: McpClient) => unknown;

/**
 * What a client does for a server that asks. Features are values that are handed to the client, so
 * that a bundle holds those that it uses; one value may serve many clients.
 */
export interface ClientFeature {
  /** What `initialize` announces when it asks for a revision with these traits. */
  capabilities(traits: RevisionTraits): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, ClientHandler>>;
  /** Called by each client that it is given to, before anything is sent. */
  attach?(client: McpClient): void;
}
