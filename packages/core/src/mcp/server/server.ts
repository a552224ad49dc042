import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import type { Call } from "../../rpc/call.ts";
import { formatNotification, type Params, SerializedJson } from "../../rpc/message.ts";
import type { Transport } from "../../rpc/transport.ts";
import { describedIn, laterInInfo, toolIn } from "../in-revision.ts";
import { type InitializeResult, Method, mergeCapabilities } from "../protocol.ts";
import { type Revision, revisions } from "../versions.ts";
import { McpConnection } from "./connection.ts";
import { Conversation, type OpenOptions } from "./conversation.ts";
import { type Answer, type HandleOptions, handleMessage } from "./handle.ts";
import { memoryStore } from "./memory-store.ts";
import { NamedList } from "./named-list.ts";
import { NegotiatedParameters } from "./negotiated-parameters.ts";
import { pageOf } from "./pagination.ts";
import type { ConnectOptions, ServerConnection } from "./server-connection.ts";
import type { AttachedServer, Audience, FeatureHandler } from "./server-feature.ts";
import type { McpServerOptions, ModernServer, ServerDefinition } from "./server-options.ts";
import type { McpStore } from "./store.ts";
import type { Tool } from "./tool.ts";

/** The topic of the bus by which instances tell each other of changes. */
const CHANGES = "changes";

/** A server for any number of connections, which share its tools, features and serialised lists. */
export class McpServer<Context = unknown>
  implements ServerDefinition<Context>, AttachedServer<Context>
{
  readonly options: McpServerOptions<Context>;
  /** For a connection: the negotiated parameters, shared with other connections. */
  readonly negotiated: NegotiatedParameters = new NegotiatedParameters();
  /** For a connection: the modern era, if the server speaks it. */
  readonly modern: ModernServer<Context> | undefined;
  /** What outlives a request. */
  readonly store: McpStore;
  readonly #tools: NamedList<Tool<Context>>;
  readonly #connections = new Set<ServerConnection<Context>>();
  readonly #requests = new Map<string, FeatureHandler<Context>>();
  readonly #notifications = new Map<string, FeatureHandler<Context>>();
  readonly #audiences = new Map<string, Audience<Context>>();
  readonly #toolLists = new Map<Revision, SerializedJson>();

  constructor(options: McpServerOptions<Context>) {
    this.options = options;
    this.modern = options.eras?.modern?.attach<Context>(this);
    this.#tools = new NamedList("tool", ({ description }) => description.name, options.tools);
    for (const feature of options.features ?? []) {
      addTo(this.#requests, feature.requests);
      addTo(this.#notifications, feature.notifications);
      addTo(this.#audiences, feature.audiences);
      feature.attach?.(this);
    }
    this.store = options.store ?? memoryStore();
    const hear = (message: string) => {
      const { method, params } = JSON.parse(message) as { method: string; params?: Params };
      this.emitHere(method, params);
    };
    this.store.bus.subscribe(CHANGES, hear).catch((error: unknown) => this.#report(error));
  }

  /** The clients that are connected now. */
  get connections(): ReadonlySet<ServerConnection<Context>> {
    return this.#connections;
  }

  /**
   * Answers one message of the modern era, which stands for itself: that of an HTTP request, for instance.
   * A handler that is done in the same turn is answered in the same turn.
   * @throws IdewireError `invalid-argument` for a server that speaks the legacy era only
   */
  handle(message: unknown, options: HandleOptions<Context>): Answer {
    if (this.modern !== undefined) return handleMessage(this.modern, message, options);
    throw new IdewireError("invalid-argument", "This server speaks the legacy era only");
  }

  /**
   * Opens a conversation of the legacy era, whatever carries its messages, or continues one that was opened
   * before.
   */
  open(options: OpenOptions<Context>): Conversation<Context> {
    const conversation = new Conversation(this, options);
    if (options.hearsChanges !== false) this.#keep(conversation.connection);
    return conversation;
  }

  /** Serves one client; the connection owns the transport. */
  connect(transport: Transport, options: ConnectOptions<Context>): ServerConnection<Context> {
    const connection = new McpConnection(this, transport, options);
    this.#keep(connection);
    return connection;
  }

  /**
   * Adds a tool and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` when there is a tool with the name
   */
  addTool(tool: Tool<Context>): Unsubscribe {
    return this.#tools.add(tool, () => this.#listChanged());
  }

  tool(name: string): Tool<Context> | undefined {
    return this.#tools.get(name);
  }

  /** The feature's handler of a request or notification; undefined when no feature has one. */
  handlerOf(call: Call): FeatureHandler<Context> | undefined {
    return (call.id === undefined ? this.#notifications : this.#requests).get(call.method);
  }

  /** The capabilities and `serverInfo` that `initialize` returns in a revision. */
  describe(revision: Revision): Pick<InitializeResult, "capabilities" | "serverInfo"> {
    const traits = revisions[revision];
    const { info, features = [] } = this.options;
    const capabilities = mergeCapabilities(
      { tools: { listChanged: true } },
      ...features.map((feature) => feature.capabilities(traits)),
    );
    return { capabilities, serverInfo: describedIn(traits, info, laterInInfo) };
  }

  /** The result of `tools/list`; the first page is kept serialised until the tools change. */
  toolList(
    revision: Revision,
    cursor: unknown,
    finish: (list: object) => unknown = (list) => list,
  ): SerializedJson {
    const kept = this.#toolLists.get(revision);
    if (kept !== undefined && (cursor ?? undefined) === undefined) return kept;
    const listed = this.#tools.all.filter((tool) => tool.listed);
    const keyOf = (tool: Tool<Context>) => tool.description.name;
    const { items, ...more } = pageOf(listed, { keyOf, cursor, pageSize: this.options.pageSize });
    const tools = items.map((tool) => toolIn(revisions[revision], tool.description));
    const list = new SerializedJson(JSON.stringify(finish({ tools, ...more })));
    if ((cursor ?? undefined) === undefined) this.#toolLists.set(revision, list);
    return list;
  }

  /**
   * Sends a notification of a change to every initialized client, and to those of the modern era that
   * listen for it, of all instances; it replaces an unsent one that says the same.
   */
  emit(method: string, params?: Params): void {
    this.store.bus.publish(CHANGES, JSON.stringify({ method, params })).catch((error: unknown) => {
      this.#report(error);
      this.emitHere(method, params);
    });
  }

  /** The same for the clients of this instance alone. */
  emitHere(method: string, params?: Params): void {
    const frame = formatNotification(method, params);
    for (const connection of this.#hearers(method, params)) connection.sendState(frame, frame);
    this.modern?.changed(method, params);
  }

  /** Whether a client of this instance would hear of a change. */
  isHeard(method: string, params?: Params): boolean {
    const isHeard = this.#hearers(method, params).length > 0;
    return isHeard || this.modern?.isHeard(method, params) === true;
  }

  /** Ends all streams of `subscriptions/listen` gracefully, before the connections are closed. */
  endSubscriptions(): void {
    this.modern?.endSubscriptions();
  }

  #hearers(method: string, params?: Params): readonly ServerConnection<Context>[] {
    const hearsIt = this.#audiences.get(method);
    return [...this.#connections].filter(
      (connection) => connection.initialized && hearsIt?.(connection, params) !== false,
    );
  }

  #keep(connection: ServerConnection<Context>): void {
    this.#connections.add(connection);
    void connection.peer.closed.then(() => this.#connections.delete(connection));
  }

  #report(error: unknown): void {
    this.options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  #listChanged(): void {
    this.#toolLists.clear();
    this.emit(Method.ToolsListChanged);
  }
}

function addTo<Value>(
  handlers: Map<string, Value>,
  added: Readonly<Record<string, Value>> = {},
): void {
  for (const [method, handler] of Object.entries(added)) handlers.set(method, handler);
}
