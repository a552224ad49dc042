import type { Unsubscribe } from "../../emitter.ts";
import type { Dialect } from "../dialect.ts";
import type { DialectContext, IdeSession } from "../session/ide-session.ts";
import { watchDiagnostics } from "../session/watch-diagnostics.ts";
import { createClaudeTools, encodeFileDiagnostics } from "./claude-code.ts";
import {
  clientKindOf,
  encodeMention,
  encodeSelection,
  mentionsNeedLines,
  receiveIdeConnected,
} from "./claude-notifications.ts";

/** Claude Code as seed 001 wants a Neovim plugin to speak with it. */
export const neovim: Dialect = {
  id: "neovim",
  discovery: "claude",
  serverName: "Claude Code Neovim MCP",
  minimumRevision: "2025-03-26",
  argumentErrors: "invalid-params",
  readyDelayMs: 300,
  createTools: createClaudeTools,
  clientKindOf,
  encodeSelection,
  mentionsNeedLines,
  encodeMention,
  receive: receiveIdeConnected,
  attach,
};

/** Something that happened in the editor, for the agent's log. */
export interface LogEvent {
  readonly eventName: string;
  readonly eventData: Readonly<Record<string, unknown>>;
}

/**
 * Sends `log_event` to an agent that hears notifications by now; says whether it was sent. Nothing is
 * logged unasked: the command line passes it on as telemetry.
 */
export function sendLogEvent(session: IdeSession, event: LogEvent): boolean {
  if (session.ready) session.connection.peer.notify("log_event", { ...event });
  return session.ready;
}

function attach(server: DialectContext): Unsubscribe {
  return watchDiagnostics(server, (file) => ({
    method: "diagnostics_changed",
    params: encodeFileDiagnostics(file, server.platform),
  }));
}
