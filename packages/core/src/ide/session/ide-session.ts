import type { Emitter } from "../../emitter.ts";
import type { Implementation } from "../../mcp/protocol.ts";
import type { ServerConnection } from "../../mcp/server/server-connection.ts";
import type { Platform, PosixPath } from "../../paths/posix-path.ts";
import type { Call } from "../../rpc/call.ts";
import type { Clock } from "../../rpc/clock.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type { DiffCalls } from "../diffs/diff-calls.ts";
import type {
  EditorHost,
  FileDiagnostics,
  Mention,
  SelectionSnapshot,
  SessionId,
} from "../editor-host.ts";
import type { SharePolicy } from "../share-policy.ts";
import type { AnnotateDiagnostics } from "./annotate-diagnostics.ts";
import type { WriteWatch } from "./write-watch.ts";

/** A connected agent, as tools, dialects and listeners see it. */
export interface IdeSession {
  readonly id: SessionId;
  /** The id of its dialect. */
  readonly dialect: string;
  /** The underlying MCP connection. */
  readonly connection: ServerConnection<IdeSession>;
  /** The agent's name and version; undefined before `initialize`. */
  readonly agent: Implementation | undefined;
  /** The id of the agent's process; undefined until the agent has sent it. */
  readonly pid: number | undefined;
  /** The agent's title of the conversation with its person; undefined until it has sent one. */
  readonly title: string | undefined;
  /** Whether it continues a session of an earlier process of the editor. */
  readonly continued: boolean;
  /** Whether the agent is ready for notifications. */
  readonly ready: boolean;
  /** Whether the agent can be sent a mention. */
  readonly takesMentions: boolean;
  /** What is shared with the agent. */
  readonly share: SharePolicy;
  /** The agent's client kind within its dialect. */
  readonly clientKind: string;
  /** The agent's pending diffs. */
  readonly diffs: DiffCalls;
  /** For the tools: notices files that the agent writes without a diff; undefined without a listener. */
  readonly writes: WriteWatch<IdeSession> | undefined;
  /** For the tools: adds diagnostics for the agent. */
  readonly annotateDiagnostics?: AnnotateDiagnostics | undefined;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<CloseReason>;
  close(code?: number, reason?: string): void;
  /** For the dialect: sets facts that the agent has sent about itself beyond MCP. */
  identify(facts: AgentFacts): void;
}

/** Facts that an agent has sent about itself beyond MCP. */
export interface AgentFacts {
  /** The id of its process. */
  readonly pid?: number;
  /** Its title of the conversation with its person. */
  readonly title?: string;
  /** Its working directory: a folder of the editor, or one below. */
  readonly folder?: PosixPath;
}

/**
 * The content of a notification to an agent, as passed to the dialect's encoder, after the share
 * policy.
 */
export type SentFact =
  | ({ readonly kind: "selection" } & SelectionSnapshot)
  /** Nothing is selected any more, or the selection is not shared. */
  | { readonly kind: "cleared" }
  | ({ readonly kind: "mention" } & Mention)
  | ({ readonly kind: "diagnostics" } & FileDiagnostics);

/** The events of an `IdeServer`. */
export interface IdeServerEvents {
  connected(session: IdeSession): void;
  /** The handshake is complete; `session.agent` is set. */
  initialized(session: IdeSession): void;
  /** The agent has sent something about itself: `session.pid` or `session.title` has changed. */
  identified(session: IdeSession): void;
  /** The agent is ready for notifications; emitted before the first, and again after each list. */
  ready(session: IdeSession): void;
  /** The agent has sent a request or notification; emitted before it is handled. */
  call(session: IdeSession, call: Call): void;
  /** A notification is sent to the agent; `frame` is its exact text. */
  sent(session: IdeSession, fact: SentFact, frame: string): void;
  disconnected(session: IdeSession, reason: CloseReason): void;
}

/** The server that a dialect is attached to. */
export interface DialectContext {
  readonly host: EditorHost;
  /** How the agents' machine writes paths. */
  readonly platform: Platform;
  readonly clock: Clock;
  readonly sessions: ReadonlySet<IdeSession>;
  readonly share: SharePolicy;
  readonly events: Emitter<IdeServerEvents>;
  /** Reports an error that no agent awaits. */
  report(error: unknown): void;
}
