import type {
  ConnectionObserver,
  LegacyServerConnection,
} from "../mcp/legacy-server-connection.ts";
import { type Implementation, Method } from "../mcp/protocol.ts";
import type { Call } from "../rpc/call.ts";
import { formatNotification, type Params } from "../rpc/message.ts";
import type { CloseReason } from "../rpc/transport.ts";
import { DiffCalls } from "./diff-calls.ts";
import type { Mention, SessionId } from "./editor-host.ts";
import type { IdeServer } from "./ide-server.ts";
import { Readiness } from "./readiness.ts";
import { mayShare, type SharePolicy } from "./share-policy.ts";
import type { WriteWatch } from "./write-watch.ts";

/** What the person sends before the agent can hear it waits; more than this is a mistake. */
const MAX_WAITING_MENTIONS = 100;

/** A state as a notification, serialised already; a newer one with the same key replaces it. */
export interface StateFrame {
  readonly key: string;
  readonly text: string;
  /** It says that there is nothing any more. */
  readonly clears: boolean;
}

/**
 * One connected agent: host, dialect and transport. It is made by {@link IdeServer.open} and ends
 * with its connection, which closes the diffs that it had open.
 */
export class IdeSession implements ConnectionObserver {
  readonly id: SessionId;
  readonly #server: IdeServer;
  #connection: LegacyServerConnection<IdeSession> | undefined;
  #agent: Implementation | undefined;
  #variant = "";
  #pid: number | undefined;
  #diffs: DiffCalls | undefined;
  #readiness: Readiness | undefined;
  #ready = false;
  /** Whether it knows of a state that would have to be cleared. */
  #told = false;
  #waiting: Mention[] | undefined;
  #mentions: Promise<void> | undefined;

  constructor(server: IdeServer, id: SessionId) {
    this.#server = server;
    this.id = id;
  }

  /** The MCP connection under it. */
  get connection(): LegacyServerConnection<IdeSession> {
    if (this.#connection === undefined) throw new Error("The session is not attached yet");
    return this.#connection;
  }

  /** Who it is, once it has said `initialize`. */
  get agent(): Implementation | undefined {
    return this.#agent;
  }

  /** The agent's process, once it has told. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** Whether the agent hears notifications by now. */
  get ready(): boolean {
    return this.#ready;
  }

  /** What may be told to it. */
  get share(): SharePolicy {
    return this.#server.share;
  }

  /** Which spelling of its dialect it needs. */
  get variant(): string {
    return this.#variant;
  }

  /** Its proposals that wait for an answer. */
  get diffs(): DiffCalls {
    this.#diffs ??= new DiffCalls(this.#server.host, {
      ignoreCancelled: true,
      onerror: (error) => this.#server.report(error),
    });
    return this.#diffs;
  }

  /** For the tools: what it writes without asking is noticed. */
  get writes(): WriteWatch {
    return this.#server.writes;
  }

  /** Settles when the connection has closed. */
  get closed(): Promise<CloseReason> {
    return this.connection.peer.closed;
  }

  close(code?: number, reason?: string): void {
    this.connection.peer.close(code, reason);
  }

  /** For the server: what it was made for. */
  attach(connection: LegacyServerConnection<IdeSession>): void {
    this.#connection = connection;
  }

  /** For the dialect: what the agent told of itself beyond MCP. */
  identify(facts: { readonly pid: number }): void {
    this.#pid = facts.pid;
  }

  /** For the server: a state. Who was told nothing need not hear that there is nothing. */
  sendState({ key, text, clears }: StateFrame): void {
    if (!this.#ready || (clears && !this.#told)) return;
    this.#told = !clears;
    this.connection.sendState(key, text);
    this.#server.events.emit("told", this, text);
  }

  /** For the server: a mention; one that comes too early waits. */
  sendMention(mention: Mention): void {
    if (this.#ready) {
      // One after the other: for some agents the file has to be read first.
      this.#mentions = (this.#mentions ?? Promise.resolve()).then(() => this.#mention(mention));
    } else {
      this.#waiting ??= [];
      if (this.#waiting.length < MAX_WAITING_MENTIONS) this.#waiting.push(mention);
    }
  }

  /** For the server: the connection has closed. */
  end(): void {
    this.#readiness?.stop();
    this.#ready = false;
    void this.#diffs?.closeAll("session-gone");
  }

  oncall(call: Call): void {
    if (belongsToHandshake(call.method)) this.#waitUntilReady();
    this.#server.events.emit("call", this, call);
  }

  oninitialize(client: Implementation): void {
    this.#agent = client;
    this.#variant = this.#server.dialect.variantOf(client);
  }

  oninitialized(): void {
    this.#waitUntilReady();
    this.#server.events.emit("initialized", this);
  }

  onnotification(method: string, params: Params | undefined): void {
    this.#server.dialect.receive(this, method, params);
  }

  async #mention(mention: Mention): Promise<void> {
    if (!mayShare(this.share, "path", mention.path)) return;
    try {
      const { method, params } = await this.#server.encodeMention(mention, this.#variant);
      this.connection.peer.notify(method, params);
      const { events } = this.#server;
      if (events.has("told")) events.emit("told", this, formatNotification(method, params));
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
      onready: () => this.#becomeReady(),
    });
    this.#readiness.begin();
  }

  #becomeReady(): void {
    if (this.#connection?.initialized !== true) return;
    this.#ready = true;
    this.#server.events.emit("ready", this);
    this.#server.sendStateTo(this);
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const mention of waiting) this.sendMention(mention);
  }
}

/** After each of these the agent needs a moment before it hears notifications. */
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
