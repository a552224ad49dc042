import {
  type Dialect,
  type EditorHost,
  type Emitter,
  IdeServer,
  type IdeSession,
  type SharePolicy,
} from "@idewire/core";
import type { WriteWatch } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";
import type { ListenLimits } from "../loopback-server/listen-limits.ts";
import type { MemoryBudget } from "../loopback-server/memory-budget.ts";
import type { AgentSide } from "./agent-side.ts";
import type { IdeListenerEvents, ListenIdeOptions } from "./listen-options.ts";

/** The parts of a listener that are shared by all dialects. */
export interface ListenerContext {
  readonly options: ListenIdeOptions;
  readonly env: Environment;
  readonly side: AgentSide;
  /** That of the side, with its waiting diffs recorded. */
  readonly host: EditorHost;
  readonly limits: ListenLimits;
  readonly budget: MemoryBudget;
  readonly writes: WriteWatch<IdeSession>;
  readonly events: Emitter<IdeListenerEvents>;
  readonly share: () => SharePolicy;
  readonly warn: (error: Error) => void;
  /** An agent without a session has sent a request. */
  readonly onasked: () => void;
}

/** The server of a dialect, whose events are those of its listener. */
export function createServer(
  dialect: Dialect,
  { options, host, side, writes, events, share }: ListenerContext,
): IdeServer {
  const { around, onerror, annotateDiagnostics } = options;
  const ide = new IdeServer({
    ...{ host, dialect, writes, annotateDiagnostics },
    platform: side.platform,
    share: side.share(share()),
    ...(around !== undefined && { around }),
    ...(onerror !== undefined && { peer: { onerror } }),
  });
  ide.events.on("call", (session, call) => events.emit("call", session, call));
  if (dialect.isBrief === true) return ide;
  ide.events.on("connected", (session) => events.emit("connected", session));
  ide.events.on("initialized", (session) => events.emit("initialized", session));
  ide.events.on("identified", (session) => events.emit("identified", session));
  ide.events.on("ready", (session) => events.emit("ready", session));
  ide.events.on("sent", (session, fact, frame) => events.emit("sent", session, fact, frame));
  ide.events.on("disconnected", (session, reason) => events.emit("disconnected", session, reason));
  return ide;
}
