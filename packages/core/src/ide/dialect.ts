import type { Unsubscribe } from "../emitter.ts";
import type { Implementation } from "../mcp/protocol.ts";
import type { Tool } from "../mcp/server/tool.ts";
import type { LegacyRevision } from "../mcp/versions.ts";
import type { Platform } from "../paths/posix-path.ts";
import type { Params } from "../rpc/message.ts";
import type { EditorHost, Mention, SelectionSnapshot } from "./editor-host.ts";
import type { DialectContext, IdeSession } from "./session/ide-session.ts";

/** A notification as a dialect spells it. */
export interface WireNotification {
  readonly method: string;
  readonly params: Params;
}

/** Which discovery file leads a family's agents to a server: see core's `discovery`. */
export type DiscoveryKind = "claude" | "jetbrains";

/** For whom something is encoded. */
export interface Audience {
  /** How the machine of the agent writes its paths. */
  readonly platform: Platform;
  /** What {@link Dialect.clientKindOf} said of the agent. */
  readonly clientKind: string;
}

/**
 * How one agent family talks to a host: data and codecs, no state. Positions, names and texts of
 * the wire are here and nowhere else.
 */
export interface Dialect {
  readonly id: string;
  readonly discovery: DiscoveryKind;
  /** What the server calls itself; the host's name when left out. */
  readonly serverName?: string;
  /** The oldest revision of MCP that the family speaks; whoever asks for less gets the newest. */
  readonly minimumRevision?: LegacyRevision;
  /** The tools as this family names them, over one host. */
  createTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[];
  readonly argumentErrors: "tool-result" | "invalid-params";
  /**
   * How long after the last sign of the handshake (`notifications/initialized` or a list request)
   * the agent hears notifications.
   */
  readonly readyDelayMs: number;
  /** Tells the members of the family apart where one needs another spelling. */
  clientKindOf(client: Implementation): string;
  /**
   * What to send when the selection is `snapshot`; undefined when there is nothing that this agent
   * would understand. Agents of one variant get the same.
   */
  encodeSelection(
    snapshot: SelectionSnapshot | undefined,
    audience: Audience,
  ): WireNotification | undefined;
  /** Whether a mention of a whole file has to name its lines to this variant. */
  mentionsNeedLines(clientKind: string): boolean;
  encodeMention(mention: Mention, audience: Audience): WireNotification;
  /** Takes a notification of the agent that MCP does not know. */
  receive(session: IdeSession, method: string, params: Params | undefined): void;
  /**
   * Starts what the family wants beside all this, such as notifications of its own. The undo is
   * called when the server closes.
   */
  attach?(server: DialectContext): Unsubscribe;
}
