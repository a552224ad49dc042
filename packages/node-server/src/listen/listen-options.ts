import type {
  Dialect,
  EditorHost,
  IdeSession,
  Mention,
  PathMap,
  PosixPath,
  SharePolicy,
  Unsubscribe,
} from "@idewire/core";
import type {
  AgentWrite,
  AnnotateDiagnostics,
  EndpointSpec,
  IdeServerEvents,
  UnreviewedWrites,
} from "@idewire/core/internal";
import { optionNames } from "@idewire/core/internal";
import type { Peer, Transport } from "@idewire/core/rpc";
import type { Around } from "@idewire/core/server";
import type { ListenLimits } from "../loopback-server/listen-limits.ts";

/** How an editor is offered to agents. */
export interface ListenIdeOptions {
  /** `claudeCode` alone when left out. */
  readonly dialects?: readonly Dialect[];
  /**
   * Serves agents on another machine, in a container or in WSL: every path that is sent is theirs,
   * and every path that is received is the host's. Agents on this machine need a separate listener.
   */
  readonly pathMap?: PathMap | undefined;
  /** Whether several dialects may publish lock files in one directory, so that none is found alone. */
  readonly collide?: boolean;
  /**
   * What may be shared with agents, where it differs from `defaultSharePolicy`; {@link IdeListener.share} changes
   * it later.
   */
  readonly share?: Partial<SharePolicy>;
  /**
   * Patterns, as in a `.gitignore`, of files hidden from agents, relative to the host's folders. They are added to
   * the secret files, and to the files in `permissions.deny` of Claude Code's settings.
   */
  readonly exclude?: readonly string[];
  /**
   * Native paths of links that lead to the host's folders. They are published beside the real ones,
   * for agents that compare their working directory as it was typed.
   */
  readonly links?: readonly string[];
  /** The address to bind; `127.0.0.1` when left out. Any other requires `allowedHosts`. */
  readonly address?: string;
  /** A port that must be had, for the first dialect; when left out, that of the last run if it is free, else any. */
  readonly port?: number;
  /** Names, besides the loopback ones, that a Host header may have. */
  readonly allowedHosts?: readonly string[];
  /** Web origins that may connect, compared exactly; none when left out. */
  readonly allowedOrigins?: readonly string[];
  /** Where `HOME`, `CLAUDE_CONFIG_DIR` and `XDG_STATE_HOME` are read; `process.env` when left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a restart comes back on the same port with the same token; true when left out. */
  readonly resume?: boolean;
  readonly limits?: Partial<ListenLimits>;
  /** Further diagnostics for agents, in addition to those of the host. */
  readonly annotateDiagnostics?: AnnotateDiagnostics;
  /** Runs around each tool that an agent calls. */
  readonly around?: Around<IdeSession>;
  /**
   * Called with each connection at the socket of a folder, before anything is read: handle the commands there that the
   * editor accepts from other programs of the person, such as `idewire select`.
   */
  readonly commands?: (peer: Peer, editors: CommandedEditors) => void;
  /** Called with unexpected errors of handlers and of the host; `console.error` by default. */
  readonly onerror?: (error: Error) => void;
  /** Wraps the transport between each agent and its session, such as to log its frames. */
  readonly wrapTransport?: (transport: Transport, from: ConnectionOrigin) => Transport;
}

/** The editors on the folders of a listener, as the commands of the person need them. */
export interface CommandedEditors {
  /** The active editor, if it is one of another process. */
  readonly elsewhere: EditorHost | undefined;
  /** Sends agents a mention that the person has made in none of the editors. */
  mention(mention: Mention): void;
}

/** All of them. */
export const listenIdeNames: ReadonlySet<string> = optionNames<ListenIdeOptions>({
  dialects: true,
  pathMap: true,
  collide: true,
  share: true,
  exclude: true,
  links: true,
  address: true,
  port: true,
  allowedHosts: true,
  allowedOrigins: true,
  env: true,
  resume: true,
  limits: true,
  annotateDiagnostics: true,
  around: true,
  commands: true,
  onerror: true,
  wrapTransport: true,
});

/** The origin of a client's connection, and its endpoint. */
export interface ConnectionOrigin {
  readonly dialect: string;
  /** Undefined when the connection has been closed already, and for a client of a socket. */
  readonly port: number | undefined;
  /** The socket of the file system that it has connected to. */
  readonly socketPath?: string;
}

/** One dialect's endpoint. */
export interface IdeEndpoint {
  readonly dialect: string;
  /** The protocol there. */
  readonly kind: EndpointSpec["kind"];
  /** Where it listens: at a port, or at a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  readonly url: string;
  /** The discovery file; absent for families of agents that look at a fixed place. */
  readonly lockFile?: string;
  /** The folders as agents call them: native to their machine. */
  readonly folders: readonly string[];
  /**
   * For agents that connect only for each prompt, and so have no session: their name, and the time of the last
   * request, in milliseconds since 1970; undefined before the first.
   */
  readonly asked?: { readonly agent: string; readonly lastMs: number };
}

/** The events of an {@link IdeListener}: those of an IdeServer, warnings, and unreviewed writes. */
export interface IdeListenerEvents extends IdeServerEvents {
  /** A client without the token was refused. */
  refused(): void;
  /**
   * Files were written without a review in this editor while agents were connected; without a session when
   * there were several.
   */
  unreviewed(session: IdeSession | undefined, writes: UnreviewedWrites): void;
  /** An agent has written a file, or may have: as `unreviewed`, but at once, and after a review, too. */
  written(session: IdeSession | undefined, write: AgentWrite): void;
  /** The folders by which agents find the editor have changed: those of `endpoints` are new. */
  published(): void;
  /** A failure that stops nothing, such as a state file that cannot be written. */
  warning(error: Error): void;
}

/** An editor that agents can find. The caller closes it; the host is not closed with it. */
export interface IdeListener {
  readonly endpoints: readonly IdeEndpoint[];
  readonly sessions: ReadonlySet<IdeSession>;
  /**
   * Whether another process serves the folders, and this editor has joined it: the endpoints and sessions are those of
   * that process, and become this one's when that ends.
   */
  readonly joined: boolean;
  /** That of this editor, which applies while it is active. Setting it immediately sends agents the remaining state. */
  share: SharePolicy;
  /** The patterns of {@link ListenIdeOptions.exclude}; setting them also sends agents the remaining state. */
  exclude: readonly string[];
  /** Whether a file of the host is hidden from agents: by its share policy, its patterns, or the agents' settings. */
  readonly isExcluded: (path: PosixPath) => boolean;
  /** Warnings from before a listener for `warning` could be added. */
  readonly warnings: readonly Error[];
  on<E extends keyof IdeListenerEvents>(event: E, listener: IdeListenerEvents[E]): Unsubscribe;
  /** Removes the discovery files, closes the agents' connections and frees the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
