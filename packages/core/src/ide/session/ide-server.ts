import { Emitter, type Unsubscribe } from "../../emitter.ts";
import { type Conversation, callbacksOf, type OpenOptions } from "../../mcp/server/conversation.ts";
import type { LegacyServer } from "../../mcp/server/legacy-server.ts";
import { McpServer } from "../../mcp/server/server.ts";
import type { Around } from "../../mcp/server/server-options.ts";
import type { Platform } from "../../paths/posix-path.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import { formatNotification } from "../../rpc/message.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";
import type { Dialect } from "../dialect.ts";
import type { EditorHost, Mention } from "../editor-host.ts";
import type { BoundTool } from "../ide-tool.ts";
import { defaultSharePolicy, mayShare, type SharePolicy, shareState } from "../share-policy.ts";
import type { AnnotateDiagnostics } from "./annotate-diagnostics.ts";
import type { AgentFacts, IdeServerEvents, IdeSession } from "./ide-session.ts";
import { withAllLines } from "./mention-lines.ts";
import { AgentSession, type SessionServer, type StateFrame } from "./session.ts";
import type { WriteWatch } from "./write-watch.ts";

export interface IdeServerOptions {
  readonly host: EditorHost;
  readonly dialect: Dialect;
  /** How the agents' machine writes paths; `posix` by default. */
  readonly platform?: Platform;
  /** Where it differs from {@link defaultSharePolicy}. */
  readonly share?: Partial<SharePolicy>;
  readonly clock?: Clock;
  /** Notices files that agents write without a review; its owner closes it. */
  readonly writes?: WriteWatch<IdeSession>;
  /** Adds diagnostics for agents to those of the host. */
  readonly annotateDiagnostics?: AnnotateDiagnostics | undefined;
  /** Runs around each tool. */
  readonly around?: Around<IdeSession>;
  /** Limits of each connection. */
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle" | "clock">;
}

let lastSession = 0;

/**
 * Serves one host in one dialect to any number of agents, and sends them the host's state until it is
 * closed. It does not own the host.
 */
export class IdeServer implements SessionServer {
  readonly host: EditorHost;
  readonly dialect: Dialect;
  readonly platform: Platform;
  readonly clock: Clock;
  readonly events: Emitter<IdeServerEvents> = new Emitter();
  /** For the tools: watches for files that agents write. */
  readonly writes: WriteWatch<IdeSession> | undefined;
  readonly annotateDiagnostics: AnnotateDiagnostics | undefined;
  readonly #mcp: McpServer<IdeSession>;
  readonly #peerOptions: PeerOptions;
  readonly #sessions = new Set<AgentSession>();
  /** The sessions over HTTP, by their ids there. */
  readonly #listening = new Map<string, AgentSession>();
  readonly #unsubscribe: Unsubscribe[];
  /** The current state for the agents of each client kind. */
  readonly #stateFrames = new Map<string, StateFrame | undefined>();
  readonly #tools: readonly BoundTool[];
  /** The names of the tools that were listed to agents. */
  #listed: string;
  /** Set while a change waits for {@link Dialect.stateIntervalMs} to pass. */
  #stateTimer: unknown;
  #share: SharePolicy;

  constructor(options: IdeServerOptions) {
    const { host, dialect, platform = "posix", clock = systemClock } = options;
    this.host = host;
    this.dialect = dialect;
    this.platform = platform;
    this.clock = clock;
    this.annotateDiagnostics = options.annotateDiagnostics;
    this.writes = options.writes;
    this.#share = { ...defaultSharePolicy, ...options.share };
    this.#peerOptions = { ...options.peer, clock };
    this.#mcp = new McpServer({
      name: dialect.serverName ?? host.name,
      version: host.version,
      // A client of the modern era would never receive a selection.
      ...{ eras: "legacy", logLevel: "off", toolErrors: "internal-error" },
      argumentErrors: dialect.argumentErrors,
      minimumRevision: dialect.minimumRevision,
      onerror: options.peer?.onerror,
      ...(options.around !== undefined && { around: options.around }),
    });
    this.#tools = dialect.createTools(host, platform);
    for (const { name, run, ...tool } of this.#tools) this.#mcp.tool(name, tool, run);
    this.#listed = this.#listedNow;
    this.#unsubscribe = [
      ...dialect.follows.map((event) => host.on(event, () => this.#stateChanged())),
      host.on("mention", (mention) => this.#mention(mention)),
    ];
    const detach = dialect.attach?.(this);
    if (detach !== undefined) this.#unsubscribe.push(detach);
  }

  get sessions(): ReadonlySet<IdeSession> {
    return this.#sessions;
  }

  /** What is shared with agents; after a change the remaining state is sent immediately. */
  get share(): SharePolicy {
    return this.#share;
  }

  set share(policy: SharePolicy) {
    this.#share = policy;
    this.#stateChanged();
  }

  /** The host may support other tools than before: notifies the agents if it does. */
  toolsChanged(): void {
    const listed = this.#listedNow;
    if (listed === this.#listed) return;
    this.#listed = listed;
    this.#mcp.tools.changed();
  }

  get #listedNow(): string {
    return this.#tools
      .flatMap(({ name, listed }) => (listed?.() === false ? [] : [name]))
      .join("\n");
  }

  /** Serves an agent over an open transport, which the session owns. */
  open(transport: Transport): IdeSession {
    const session = this.#createSession();
    session.attach(
      this.#mcp.connect(transport, {
        context: session,
        observer: session,
        peer: this.#peerOptions,
      }),
    );
    this.#connected(session);
    return session;
  }

  /** For an endpoint over HTTP, where each request is a conversation of its own. */
  get legacy(): LegacyServer<AgentFacts | undefined> {
    return {
      modern: undefined,
      store: this.#mcp.store,
      reportError: this.#mcp.reportError,
      findTool: (name) => this.#mcp.findTool(name),
      open: (options) => this.#converse(options),
    };
  }

  /** Closes every session and stops listening to the host. */
  close(code: number = CloseCode.GoingAway, reason = ""): void {
    for (const stop of this.#unsubscribe) stop();
    this.clock.clearTimeout(this.#stateTimer);
    for (const session of this.#sessions) session.close(code, reason);
  }

  /** For a session: sends it the state. */
  sendStateTo(session: AgentSession): void {
    const frame = this.#stateFrame(session.clientKind);
    if (frame !== undefined) session.sendState(frame);
  }

  /** For a session: its connection has closed. */
  disconnected(session: AgentSession, reason: CloseReason): void {
    this.#sessions.delete(session);
    this.writes?.ended(session);
    this.events.emit("disconnected", session, reason);
  }

  /** For a session: reports an error that no agent awaits. */
  report(error: unknown): void {
    this.#mcp.reportError(error);
  }

  /** For a session: a mention with lines, if this client kind needs them. */
  async completeMention(mention: Mention, clientKind: string): Promise<Mention> {
    const needsLines = this.dialect.mentions?.needLines(clientKind) === true;
    return needsLines ? withAllLines(mention, this) : mention;
  }

  /**
   * A session is the conversation with the client that listens. The conversation of a request is of that session,
   * or of one that is not reported before the client has introduced itself.
   */
  #converse(options: OpenOptions<AgentFacts | undefined>): Conversation<IdeSession> {
    const { sessionId: id = "", session: state } = options;
    const listens = options.receivesChanges !== false;
    const known = listens ? undefined : this.#listening.get(id);
    const session = known ?? this.#createSession();
    const conversation = this.#mcp.open({
      ...{ context: session, session: state, receivesChanges: listens },
      observer: session,
      ...{ principal: options.principal, scopes: options.scopes },
      peer: { ...this.#peerOptions, ...options.peer },
      ...callbacksOf(options),
    });
    if (!listens) return conversation;
    session.attach(conversation.connection);
    const isContinued = state?.initialized === true;
    if (isContinued) session.goesOn(state.clientInfo);
    else if (state !== undefined) session.oninitialize(state.clientInfo);
    this.#listening.set(id, session);
    void session.closed.then(() => this.#listening.delete(id));
    this.#connected(session);
    if (options.context?.pid !== undefined) session.identify(options.context);
    if (isContinued) session.oninitialized();
    return conversation;
  }

  #createSession(): AgentSession {
    lastSession += 1;
    return new AgentSession(this, `s${lastSession}`);
  }

  #connected(session: AgentSession): void {
    this.#sessions.add(session);
    this.events.emit("connected", session);
  }

  #stateChanged(): void {
    this.#stateFrames.clear();
    const { stateIntervalMs } = this.dialect;
    if (stateIntervalMs === undefined) this.#sendState();
    else {
      this.#stateTimer ??= this.clock.setTimeout(() => {
        this.#stateTimer = undefined;
        this.#sendState();
      }, stateIntervalMs);
    }
  }

  #sendState(): void {
    for (const session of this.#sessions) {
      if (session.ready) this.sendStateTo(session);
    }
  }

  #stateFrame(clientKind: string): StateFrame | undefined {
    if (!this.#stateFrames.has(clientKind)) {
      const state = shareState(this.host, this.#share);
      const { selection } = state;
      const { platform, dialect } = this;
      const message = dialect.encodeState(state, { platform, clientKind });
      const frame: StateFrame | undefined = message && {
        key: message.method,
        text: formatNotification(message.method, message.params),
        fact: selection === undefined ? { kind: "cleared" } : { kind: "selection", ...selection },
        isEmpty:
          selection === undefined &&
          !(dialect.follows.includes("documents") && state.documents.length > 0),
      };
      this.#stateFrames.set(clientKind, frame);
    }
    return this.#stateFrames.get(clientKind);
  }

  #mention(mention: Mention): void {
    if (!mayShare(this.#share, "path", mention.path)) return;
    for (const session of this.#sessions) {
      if (mention.session === undefined || mention.session === session.id) {
        session.sendMention(mention);
      }
    }
  }
}

/** Creates a server of a host in a dialect; {@link IdeServer.open} serves agents. */
export function createIdeServer(options: IdeServerOptions): IdeServer {
  return new IdeServer(options);
}

/** Serves a single agent: the server is closed with the session. */
export function openIdeSession(
  transport: Transport,
  host: EditorHost,
  dialect: Dialect,
  options: Omit<IdeServerOptions, "host" | "dialect"> = {},
): IdeSession {
  const server = new IdeServer({ ...options, host, dialect });
  const session = server.open(transport);
  void session.closed.then(() => server.close());
  return session;
}
