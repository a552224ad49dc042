import type { Conversation, OpenOptions } from "@idewire/core/internal";
import type { McpServer, McpStore } from "@idewire/core/server";

/** What a request, or a client that listens, needs of a conversation. */
export type ServedConversation = Pick<
  Conversation,
  "handle" | "awaits" | "restore" | "close" | "session"
>;

/** What speaks the legacy era as an MCP server does, such as an editor's server. */
export interface LegacyServer<Context> {
  readonly modern: undefined;
  readonly store: McpStore;
  readonly reportError: (error: unknown) => void;
  findTool(name: string): { readonly scopes?: readonly string[] | undefined } | undefined;
  open(options: OpenOptions<Context>): ServedConversation;
}

/** What an endpoint serves. */
export type Served<Context> = McpServer<Context> | LegacyServer<Context>;

/**
 * How the sessions of an editor's agents are kept, in one process and for one token: what is sent to a client
 * waits for its stream from `initialize` on, a state for as long as there is none; and who has the
 * token goes on under the id of a session that is not known, as after a restart. A principal has one
 * session, which another `initialize` replaces.
 */
export interface LiveSessions<Context = never> {
  /** The delay before a client returns, sent when the server closes. */
  readonly retryMs: number;
  /**
   * Whether the process of a client runs, which its session lasts as long as; undefined for one whose process is
   * not known: its session ends some time after its last stream and request.
   */
  isRunning?(context: Context): boolean | undefined;
}
