import type { Conversation, OpenOptions } from "./conversation.ts";
import type { McpStore } from "./store.ts";

/** The members of a conversation that a request, or a subscribed client, uses. */
export type ServedConversation = Pick<
  Conversation,
  "handle" | "awaits" | "restore" | "close" | "session"
>;

/** A server of the legacy era as an endpoint of MCP over HTTP needs it: an MCP server, or an editor's. */
export interface LegacyServer<Context> {
  readonly modern: undefined;
  readonly store: McpStore;
  readonly reportError: (error: unknown) => void;
  findTool(name: string): { readonly scopes?: readonly string[] | undefined } | undefined;
  open(options: OpenOptions<Context>): ServedConversation;
}
