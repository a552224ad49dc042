import { type Implementation, Method } from "../../mcp/protocol.ts";
import type { ConnectionObserver, ServerConnection } from "../../mcp/server/server-connection.ts";
import type { Call } from "../../rpc/call.ts";
import { formatNotification, type Params } from "../../rpc/message.ts";
import type { CloseReason } from "../../rpc/transport.ts";
import type { Dialect, DialectAgent } from "../dialect.ts";
import { DiffCalls } from "../diffs/diff-calls.ts";
import type { Mention, SessionId } from "../editor-host.ts";
import { mayShare, type SharePolicy } from "../share-policy.ts";
import type { AnnotateDiagnostics } from "./annotate-diagnostics.ts";
import type { AgentFacts, DialectContext, IdeSession, SentFact } from "./ide-session.ts";
import { Readiness } from "./readiness.ts";
import type { WriteWatch } from "./write-watch.ts";

/** How many mentions are kept until the agent is ready; further ones are dropped. */
const MAX_WAITING_MENTIONS = 100;

/** A serialised notification of a state; a newer one with the same key replaces it. */
export interface StateFrame {
  readonly key: string;
  readonly text: string;
  readonly fact: SentFact;
  /** Whether it only clears what was sent before. */
  readonly isEmpty: boolean;
}

/** The part of its server that a session uses. */
export interface SessionServer extends DialectContext {
  readonly dialect: Dialect;
  readonly writes: WriteWatch<IdeSession> | undefined;
  readonly annotateDiagnostics: AnnotateDiagnostics | undefined;
  sendStateTo(session: AgentSession): void;
  /** The connection has closed. */
  disconnected(session: AgentSession, reason: CloseReason): void;
  /** A mention with lines, if this client kind needs them. */
  completeMention(mention: Mention, clientKind: string): Promise<Mention>;
}

/**
 * A connected agent. It is created by a server and ends with its connection, which closes its pending
 * diffs.
 */
export class AgentSession implements IdeSession, ConnectionObserver {
  readonly id: SessionId;
  readonly #server: SessionServer;
  #connection: ServerConnection<IdeSession> | undefined;
  #agent: Implementation | undefined;
  #clientKind = "";
  #facts: AgentFacts = {};
  #diffs: DiffCalls | undefined;
  #readiness: Readiness | undefined;
  #continued = false;
  #ready = false;
  /** Whether the agent has been sent a state that would have to be cleared. */
  #knowsState = false;
  #waiting: Mention[] | undefined;
  #mentions: Promise<void> | undefined;

  constructor(server: SessionServer, id: SessionId) {
    this.#server = server;
    this.id = id;
  }

  get connection(): ServerConnection<IdeSession> {
    if (this.#connection === undefined) throw new Error("The session is not attached yet");
    return this.#connection;
  }

  get agent(): Implementation | undefined {
    return this.#agent;
  }

  get pid(): number | undefined {
    return this.#facts.pid;
  }

  get title(): string | undefined {
    return this.#facts.title;
  }

  get continued(): boolean {
    return this.#continued;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get dialect(): string {
    return this.#server.dialect.id;
  }

  get takesMentions(): boolean {
    return this.#server.dialect.mentions !== undefined;
  }

  get share(): SharePolicy {
    return this.#server.share;
  }

  get clientKind(): string {
    return this.#clientKind;
  }

  get diffs(): DiffCalls {
    this.#diffs ??= new DiffCalls(this.#server.host, {
      ignoreCancelled: true,
      onerror: (error) => this.#server.report(error),
    });
    return this.#diffs;
  }

  get writes(): WriteWatch<IdeSession> | undefined {
    return this.#server.writes;
  }

  get annotateDiagnostics(): AnnotateDiagnostics | undefined {
    return this.#server.annotateDiagnostics;
  }

  get closed(): Promise<CloseReason> {
    return this.connection.peer.closed;
  }

  close(code?: number, reason?: string): void {
    this.connection.peer.close(code, reason);
  }

  /** For the server: the client has introduced itself to an earlier process. */
  goesOn(client: Implementation): void {
    this.#continued = true;
    this.oninitialize(client);
  }

  /** For the server: sets the connection. */
  attach(connection: ServerConnection<IdeSession>): void {
    this.#connection = connection;
  }

  identify(facts: AgentFacts): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#server.events.emit("identified", this);
  }

  /** For the server: sends a state; one that clears only if the agent has been sent another. */
  sendState({ key, text, fact, isEmpty }: StateFrame): void {
    if (!this.#ready || (isEmpty && !this.#knowsState)) return;
    this.#knowsState = !isEmpty;
    this.connection.sendState(key, text);
    this.#server.events.emit("sent", this, fact, text);
  }

  /** For the server: sends a mention, once the agent is ready. */
  sendMention(mention: Mention): void {
    if (this.#ready) {
      // In order, although for some agents the file has to be read first.
      this.#mentions = (this.#mentions ?? Promise.resolve()).then(() => this.#mention(mention));
    } else {
      this.#waiting ??= [];
      if (this.#waiting.length < MAX_WAITING_MENTIONS) this.#waiting.push(mention);
    }
  }

  oncall(call: Call): void {
    // Over HTTP a client introduces itself before there is a session.
    if (this.#connection === undefined) return;
    if (belongsToHandshake(call.method)) this.#waitUntilReady();
    this.#server.events.emit("call", this, call);
  }

  oninitialize(client: Implementation): void {
    this.#agent = { ...client, ...this.#nameOf(client) };
    this.#clientKind = this.#server.dialect.clientKindOf(client);
  }

  /** Our own commands, which connect like agents, are not counted. */
  #nameOf({ name }: Implementation): Pick<DialectAgent, "name" | "title"> | undefined {
    const { agent } = this.#server.dialect;
    if (agent === undefined || /^idewire\b/.test(name)) return undefined;
    return { name: agent.name, title: agent.title };
  }

  oninitialized(): void {
    if (this.#connection === undefined) return;
    this.#waitUntilReady();
    this.#server.events.emit("initialized", this);
  }

  onnotification(method: string, params: Params | undefined): void {
    this.#server.dialect.receive(this, method, params);
  }

  onclose(reason: CloseReason): void {
    this.#readiness?.stop();
    this.#ready = false;
    void this.#diffs?.closeAll("session-gone");
    this.#server.disconnected(this, reason);
  }

  async #mention(mention: Mention): Promise<void> {
    const { dialect, platform, events } = this.#server;
    if (!mayShare(this.share, "path", mention.path) || dialect.mentions === undefined) return;
    try {
      const clientKind = this.#clientKind;
      const complete = await this.#server.completeMention(mention, clientKind);
      const { method, params } = dialect.mentions.encode(complete, { platform, clientKind });
      this.connection.peer.notify(method, params);
      if (!events.has("sent")) return;
      const frame = formatNotification(method, params);
      events.emit("sent", this, { kind: "mention", ...complete }, frame);
    } catch (error) {
      this.#server.report(error);
    }
  }

  #waitUntilReady(): void {
    const { clock, dialect } = this.#server;
    this.#ready = false;
    this.#readiness ??= new Readiness({
      transport: this.connection.peer.transport,
      clock,
      delayMs: dialect.readyDelayMs,
      onready: (isLast) => this.#becomeReady(isLast),
    });
    this.#readiness.begin();
  }

  #becomeReady(isLast: boolean): void {
    // Most agents are idle from then on.
    if (isLast) this.#readiness = undefined;
    if (this.#connection?.initialized !== true) return;
    this.#ready = true;
    this.#server.events.emit("ready", this);
    this.#server.sendStateTo(this);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const mention of waiting) this.sendMention(mention);
  }
}

/** Whether the agent needs some time after a method before it is ready for notifications. */
function belongsToHandshake(method: string): boolean {
  switch (method) {
    case Method.ToolsList:
    case Method.PromptsList:
    case Method.ResourcesList:
    case Method.ResourceTemplatesList:
      return true;
    default:
      return false;
  }
}
