import type { DiscoveryFormat } from "../discovery/discovery-format.ts";
import type { Unsubscribe } from "../emitter.ts";
import type { Implementation } from "../mcp/protocol.ts";
import type { LegacyRevision } from "../mcp/versions.ts";
import type { Platform } from "../paths/posix-path.ts";
import type { Params } from "../rpc/message.ts";
import type { Transport } from "../rpc/transport.ts";
import type { EditorHost, Mention } from "./editor-host.ts";
import type { BoundTool } from "./ide-tool.ts";
import type { DialectContext, IdeSession } from "./session/ide-session.ts";
import type { SharedState } from "./share-policy.ts";

/** A notification as a dialect encodes it. */
export interface WireNotification {
  readonly method: string;
  readonly params: Params;
}

/** Where the agents of a family connect, and how they find the place. */
export interface EndpointSpec {
  /**
   * The transport: frames over a WebSocket; MCP over Streamable HTTP, at a port or at a socket of the file system;
   * the family's own frames, at such a socket.
   */
  readonly kind: "web-socket" | "http" | "http-socket" | "frames";
  /** How the agents find it; absent for a well-known place. */
  readonly discovery?: DiscoveryFormat;
  /** How the agents present the token over HTTP; `Bearer` by default. */
  readonly scheme?: "Bearer" | "Nonce";
  /**
   * For a socket at a well-known place: its folder among the temporary files, and its name there. On
   * Windows the folder is the name of the pipe.
   */
  socket?(this: void, uid: number): readonly [folder: string, name: string];
  /**
   * The folder that a frame asks about, as a native path: if all editors of a user share the agents' socket, the
   * frame is forwarded to the editor that serves the folder. Undefined for any other frame.
   */
  folderOf?(this: void, frame: string): string | undefined;
  /** Reads the agent's identity from the headers of an HTTP request; absent if there is none. */
  identify?(this: void, header: (name: string) => string | undefined): AgentHeaders;
  /** The headers that `identify` reads. */
  introduce?(this: void, agent: Required<AgentHeaders>): Readonly<Record<string, string>>;
}

/** The identity that an agent with the token sends in the headers of each request. */
export interface AgentHeaders {
  /** The owner of the requests: no other agent reaches the session, and another `initialize` replaces it. */
  readonly session?: string;
  /** Its process, with which the session ends. */
  readonly pid?: number;
}

/** A family whose agents are all the same program. */
export interface DialectAgent {
  readonly name: string;
  /** Its title in texts for people. */
  readonly title: string;
  /** The shell command that starts it. */
  readonly start?: string;
  /** The host to which it connects in a container, in place of this machine. */
  readonly containerHost?: string;
  /** A setting that only the person can turn on, in the agent, before it connects. */
  readonly enable?: {
    /** The command to type there. */
    readonly command: string;
    readonly often: "once" | "in each session";
  };
}

/** The receivers of an encoded notification. */
export interface Audience {
  /** How the agent's machine writes paths. */
  readonly platform: Platform;
  /** The agent's {@link Dialect.clientKindOf}. */
  readonly clientKind: string;
}

/**
 * How one family of agents talks to a host: data and codecs without state. Positions, names and texts
 * of the wire appear only in dialects.
 */
export interface Dialect {
  readonly id: string;
  readonly endpoint: EndpointSpec;
  /** The title of its agents, if the name that they send is meaningless. */
  readonly agent?: DialectAgent;
  /** The server's name; by default the host's. */
  readonly serverName?: string;
  /**
   * The oldest revision of MCP to accept; a request for an older one is answered with the newest.
   */
  readonly minimumRevision?: LegacyRevision;
  /** The tools of a host, with the names and results of this family. */
  createTools(host: EditorHost, platform: Platform): readonly BoundTool[];
  /** Translates the family's frames to MCP's; absent if they are MCP's. It owns the wrapped transport. */
  wire?(this: void, transport: Transport): Transport;
  /** Whether a connection lasts only as long as one prompt: it is not a session then. */
  readonly isBrief?: boolean;
  readonly argumentErrors: "tool-result" | "invalid-params";
  /**
   * How long after the last message of the handshake (`notifications/initialized` or a list request)
   * the agent is ready for notifications.
   */
  readonly readyDelayMs: number;
  /** Distinguishes the agents of the family that need different encodings. */
  clientKindOf(client: Implementation): string;
  /** The events of the host after which the state is sent again. */
  readonly follows: readonly ("selection" | "documents" | "workspace")[];
  /** The shortest time between two states; without it each change is sent immediately. */
  readonly stateIntervalMs?: number;
  /**
   * Encodes the shared state of the host. The result is sent to all agents of one client kind;
   * when it is undefined, nothing is sent.
   */
  encodeState(state: SharedState, audience: Audience): WireNotification | undefined;
  /** Encodes the person's mention of a file; absent for families without mentions. */
  readonly mentions?: {
    /** Whether a mention of a whole file must have lines for this client kind. */
    needLines(clientKind: string): boolean;
    encode(mention: Mention, audience: Audience): WireNotification;
  };
  /** Receives a notification of the agent that MCP does not define. */
  receive(session: IdeSession, method: string, params: Params | undefined): void;
  /**
   * Starts further behaviour of the family, such as its own notifications. The undo is called when
   * the server closes.
   */
  attach?(server: DialectContext): Unsubscribe;
}
