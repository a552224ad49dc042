import type { LegacyServer } from "@idewire/core/internal";
import type { McpServer } from "@idewire/core/server";

/** The server of an endpoint. */
export type Served<Context> = McpServer<Context> | LegacyServer<Context>;

/**
 * How the sessions of an editor's agents are kept, in one process and for one token. From `initialize` on messages
 * to a client wait for its stream, the newest state for as long as there is none. A client with the token
 * continues a session of unknown id, as after a restart. A principal has one session, which another `initialize`
 * replaces.
 */
export interface LiveSessions<Context = never> {
  /** The delay before a client returns, sent when the server closes. */
  readonly retryMs: number;
  /**
   * Whether the process of a client runs: its session lasts as long. Undefined if the process is not known: the
   * session then ends some time after its last stream and request.
   */
  isRunning?(context: Context): boolean | undefined;
}
