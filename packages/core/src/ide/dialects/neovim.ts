import type { Dialect } from "../dialect.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { watchDiagnostics } from "../session/watch-diagnostics.ts";
import { claudeCode, encodeFileDiagnostics } from "./claude-code.ts";

/** Claude Code's dialect as seed 001 describes it for a Neovim plugin. */
export const neovim: Dialect = createNeovim();

/**
 * A call, since a bundler keeps a spread at the top level even in a program that does not use it.
 */
function createNeovim(): Dialect {
  return {
    ...claudeCode,
    id: "neovim",
    serverName: "Claude Code Neovim MCP",
    minimumRevision: "2025-03-26",
    argumentErrors: "invalid-params",
    attach: (server) =>
      watchDiagnostics(server, (file) => ({
        method: "diagnostics_changed",
        params: encodeFileDiagnostics(file, server.platform),
      })),
  };
}

/** Something that happened in the editor, for the agent's log. */
export interface LogEvent {
  readonly eventName: string;
  readonly eventData: Readonly<Record<string, unknown>>;
}

/**
 * Sends `log_event` to an agent that is ready for notifications; returns whether it was sent. Nothing
 * is logged unless the application calls this: the command line forwards it as telemetry.
 */
export function sendLogEvent(session: IdeSession, event: LogEvent): boolean {
  if (session.ready) session.connection.peer.notify("log_event", { ...event });
  return session.ready;
}
