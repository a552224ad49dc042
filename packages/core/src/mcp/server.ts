import type { Unsubscribe } from "../emitter.ts";
import { IdewireError } from "../errors.ts";
import { formatNotification, SerializedJson } from "../rpc/message.ts";
import type { PeerOptions } from "../rpc/peer.ts";
import type { Transport } from "../rpc/transport.ts";
import { type ConnectionObserver, LegacyServerConnection } from "./legacy-server-connection.ts";
import { type Implementation, Method } from "./protocol.ts";
import type { Tool } from "./tool.ts";
import type { LegacyRevision } from "./versions.ts";

export interface McpServerOptions<Context> {
  readonly info: Implementation;
  /** Reaches the agent's model. */
  readonly instructions?: string;
  readonly tools?: readonly Tool<Context>[];
  /**
   * How bad arguments are answered: as a tool result that the model reads (2025-11-25), or as the
   * JSON-RPC error -32602 (earlier revisions). `tool-result` when left out.
   */
  readonly argumentErrors?: "tool-result" | "invalid-params";
  /** The oldest revision to agree on; all legacy ones when left out. */
  readonly minimumRevision?: LegacyRevision | undefined;
}

/** How one connection is made. */
export interface ConnectOptions<Context> {
  /** Given to each tool that this connection calls. */
  readonly context: Context;
  readonly observer?: ConnectionObserver;
  readonly peer?: Omit<PeerOptions, "handler" | "conventions">;
}

/**
 * What a server offers, once for any number of connections: the tools, and their list kept as JSON.
 */
export class McpServer<Context = unknown> {
  readonly options: McpServerOptions<Context>;
  readonly #tools = new Map<string, Tool<Context>>();
  readonly #connections = new Set<LegacyServerConnection<Context>>();
  #toolList: SerializedJson | undefined;

  constructor(options: McpServerOptions<Context>) {
    this.options = options;
    for (const tool of options.tools ?? []) this.#add(tool);
  }

  /** Whoever is connected now. */
  get connections(): ReadonlySet<LegacyServerConnection<Context>> {
    return this.#connections;
  }

  /** Serves one client; the connection owns the transport from here on. */
  connect(transport: Transport, options: ConnectOptions<Context>): LegacyServerConnection<Context> {
    const connection = new LegacyServerConnection(this, transport, options);
    this.#connections.add(connection);
    void connection.peer.closed.then(() => this.#connections.delete(connection));
    return connection;
  }

  /** Adds a tool and tells every client; the undo removes it again. */
  addTool(tool: Tool<Context>): Unsubscribe {
    this.#add(tool);
    this.#listChanged();
    return () => {
      if (this.#tools.get(tool.description.name) !== tool) return;
      this.#tools.delete(tool.description.name);
      this.#listChanged();
    };
  }

  tool(name: string): Tool<Context> | undefined {
    return this.#tools.get(name);
  }

  /** The result of `tools/list`, serialised once until the tools change. */
  toolList(): SerializedJson {
    if (this.#toolList === undefined) {
      const listed = [...this.#tools.values()].filter((tool) => tool.listed);
      const tools = listed.map((tool) => tool.description);
      this.#toolList = new SerializedJson(JSON.stringify({ tools }));
    }
    return this.#toolList;
  }

  #add(tool: Tool<Context>): void {
    const { name } = tool.description;
    if (this.#tools.has(name)) {
      throw new IdewireError("invalid-argument", `There is a tool ${JSON.stringify(name)} already`);
    }
    this.#tools.set(name, tool);
  }

  #listChanged(): void {
    this.#toolList = undefined;
    const frame = formatNotification(Method.ToolsListChanged);
    for (const connection of this.#connections) {
      if (connection.initialized) connection.peer.sendState(Method.ToolsListChanged, frame);
    }
  }
}
