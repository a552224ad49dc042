import type { Unsubscribe } from "../../emitter.ts";
import type { Call } from "../../rpc/call.ts";
import { formatNotification, SerializedJson } from "../../rpc/message.ts";
import type { Transport } from "../../rpc/transport.ts";
import { describedIn, laterInInfo, laterInTools } from "../in-revision.ts";
import { type Capabilities, type InitializeResult, Method } from "../protocol.ts";
import { type LegacyRevision, legacyRevisions } from "../versions.ts";
import { LegacyServerConnection, type ServerDefinition } from "./legacy-server-connection.ts";
import { NamedList } from "./named-list.ts";
import { NegotiatedParameters } from "./negotiated-parameters.ts";
import { pageOf } from "./pagination.ts";
import type { ConnectOptions } from "./server-connection.ts";
import type { AttachedServer, FeatureHandler } from "./server-feature.ts";
import type { McpServerOptions } from "./server-options.ts";
import type { Tool } from "./tool.ts";

/** A server for any number of connections, which share its tools, features and serialised lists. */
export class McpServer<Context = unknown>
  implements ServerDefinition<Context>, AttachedServer<Context>
{
  readonly options: McpServerOptions<Context>;
  /** For a connection: the negotiated parameters, shared with other connections. */
  readonly negotiated: NegotiatedParameters = new NegotiatedParameters();
  readonly #tools: NamedList<Tool<Context>>;
  readonly #connections = new Set<LegacyServerConnection<Context>>();
  readonly #requests = new Map<string, FeatureHandler<Context>>();
  readonly #notifications = new Map<string, FeatureHandler<Context>>();
  readonly #toolLists = new Map<LegacyRevision, SerializedJson>();

  constructor(options: McpServerOptions<Context>) {
    this.options = options;
    this.#tools = new NamedList("tool", ({ description }) => description.name, options.tools);
    for (const feature of options.features ?? []) {
      addTo(this.#requests, feature.requests);
      addTo(this.#notifications, feature.notifications);
      feature.attach?.(this);
    }
  }

  /** The clients that are connected now. */
  get connections(): ReadonlySet<LegacyServerConnection<Context>> {
    return this.#connections;
  }

  /** Serves one client; the connection owns the transport. */
  connect(transport: Transport, options: ConnectOptions<Context>): LegacyServerConnection<Context> {
    const connection = new LegacyServerConnection(this, transport, options);
    this.#connections.add(connection);
    void connection.peer.closed.then(() => this.#connections.delete(connection));
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
  describe(revision: LegacyRevision): Pick<InitializeResult, "capabilities" | "serverInfo"> {
    const traits = legacyRevisions[revision];
    const { info, features = [] } = this.options;
    const capabilities: Capabilities = { tools: { listChanged: true } };
    for (const feature of features) Object.assign(capabilities, feature.capabilities(traits));
    return { capabilities, serverInfo: describedIn(traits, info, laterInInfo) };
  }

  /** The result of `tools/list`; the first page is kept serialised until the tools change. */
  toolList(revision: LegacyRevision, cursor?: unknown): SerializedJson {
    const kept = this.#toolLists.get(revision);
    if (kept !== undefined && (cursor ?? undefined) === undefined) return kept;
    const listed = this.#tools.all.filter((tool) => tool.listed);
    const keyOf = (tool: Tool<Context>) => tool.description.name;
    const { items, ...more } = pageOf(listed, { keyOf, cursor, pageSize: this.options.pageSize });
    const traits = legacyRevisions[revision];
    const tools = items.map((tool) => describedIn(traits, tool.description, laterInTools));
    const list = new SerializedJson(JSON.stringify({ tools, ...more }));
    if ((cursor ?? undefined) === undefined) this.#toolLists.set(revision, list);
    return list;
  }

  /** Sends a notification to every initialized client; it replaces an unsent one of the method. */
  emit(method: string): void {
    const frame = formatNotification(method);
    for (const connection of this.#connections) {
      if (connection.initialized) connection.sendState(method, frame);
    }
  }

  #listChanged(): void {
    this.#toolLists.clear();
    this.emit(Method.ToolsListChanged);
  }
}

function addTo<Context>(
  handlers: Map<string, FeatureHandler<Context>>,
  added: Readonly<Record<string, FeatureHandler<Context>>> = {},
): void {
  for (const [method, handler] of Object.entries(added)) handlers.set(method, handler);
}
