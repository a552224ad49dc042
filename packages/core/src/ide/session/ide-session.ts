import type { Emitter } from "../../emitter.ts";
import type { Implementation } from "../../mcp/protocol.ts";
import type { ServerConnection } from "../../mcp/server/server-connection.ts";
import type { Platform } from "../../paths/posix-path.ts";
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
import type { UnreviewedWrites, WriteWatch } from "./write-watch.ts";

/** One connected agent, as tools, dialects and listeners see it. */
export interface IdeSession {
  readonly id: SessionId;
  /** The MCP connection under it. */
  readonly connection: ServerConnection<IdeSession>;
  /** Who it is, once it has said `initialize`. */
  readonly agent: Implementation | undefined;
  /** The agent's process, once it has told. */
  readonly pid: number | undefined;
  /** Whether the agent listens to notifications by now. */
  readonly ready: boolean;
  /** What may be sent to it. */
  readonly share: SharePolicy;
  /** Which spelling of its dialect it needs. */
  readonly clientKind: string;
  /** Its proposals that wait for an answer. */
  readonly diffs: DiffCalls;
  /** For the tools: what it writes without asking is noticed. */
  readonly writes: WriteWatch<IdeSession>;
  /** Settles when the connection has closed. */
  readonly closed: Promise<CloseReason>;
  close(code?: number, reason?: string): void;
  /** For the dialect: what the agent told of itself beyond MCP. */
  identify(facts: { readonly pid: number }): void;
}

/** What an agent is sent unasked, as the dialect's encoder was given it: after the share policy. */
export type SentFact =
  | ({ readonly kind: "selection" } & SelectionSnapshot)
  /** Nothing is selected any more, or nothing of it may be shared. */
  | { readonly kind: "cleared" }
  | ({ readonly kind: "mention" } & Mention)
  | ({ readonly kind: "diagnostics" } & FileDiagnostics);

/** The events of an `IdeServer`. */
export interface IdeServerEvents {
  connected(session: IdeSession): void;
  /** The handshake is done: `session.agent` says who it is. */
  initialized(session: IdeSession): void;
  /** It listens to notifications from now on; before the first, and again after each list. */
  ready(session: IdeSession): void;
  /** The agent asked or told something; this comes before the answer. */
  call(session: IdeSession, call: Call): void;
  /** The agent is sent this now, unasked; `frame` is the notification to the letter. */
  sent(session: IdeSession, fact: SentFact, frame: string): void;
  /** The agent wrote these files, and nobody was asked here. */
  unreviewed(session: IdeSession, writes: UnreviewedWrites): void;
  disconnected(session: IdeSession, reason: CloseReason): void;
}

/** What a dialect sees of the server that it is attached to. */
export interface DialectContext {
  readonly host: EditorHost;
  /** How the machine of the agents writes its paths. */
  readonly platform: Platform;
  readonly clock: Clock;
  readonly sessions: ReadonlySet<IdeSession>;
  readonly share: SharePolicy;
  readonly events: Emitter<IdeServerEvents>;
  /** Something failed that no agent waits for. */
  report(error: unknown): void;
}
