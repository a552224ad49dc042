import { IdewireError, RpcError, RpcErrorCode, ToolFailure } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { describeValue, isObject, type Params, SerializedJson } from "../rpc/message.ts";
import { methodNotFound, Peer } from "../rpc/peer.ts";
import type { RequestOptions } from "../rpc/pending-requests.ts";
import type { Transport } from "../rpc/transport.ts";
import { type CallToolResult, errorResult } from "./content.ts";
import { type Implementation, type InitializeResult, Method, mcpConventions } from "./protocol.ts";
import type { ConnectOptions, McpServer } from "./server.ts";
import { type LegacyRevision, legacyRevisions, negotiateRevision } from "./versions.ts";

/** Watches one connection, before the server acts on what comes. */
export interface ConnectionObserver {
  /** A request or notification came. */
  oncall?(call: Call): void;
  /** The client has said who it is; the answer is about to leave. */
  oninitialize?(client: Implementation): void;
  /** The client is ready: `notifications/initialized` came. */
  oninitialized?(): void;
  /** A notification came that MCP does not know. */
  onnotification?(method: string, params: Params | undefined): void;
}

const EMPTY = new SerializedJson("{}");
const NO_RESOURCES = new SerializedJson('{"resources":[]}');
const NO_TEMPLATES = new SerializedJson('{"resourceTemplates":[]}');
const NO_PROMPTS = new SerializedJson('{"prompts":[]}');

/**
 * One client of an {@link McpServer}, in the legacy era: it starts with `initialize`, and the
 * connection remembers it (MCP 2025-11-25, Lifecycle).
 */
export class LegacyServerConnection<Context = unknown> {
  readonly peer: Peer;
  readonly #server: McpServer<Context>;
  readonly #options: ConnectOptions<Context>;
  #revision: LegacyRevision | undefined;
  #initialized = false;

  constructor(server: McpServer<Context>, transport: Transport, options: ConnectOptions<Context>) {
    this.#server = server;
    this.#options = options;
    this.peer = new Peer(transport, {
      ...options.peer,
      handler: this,
      conventions: mcpConventions,
    });
  }

  /** The revision that was agreed on; undefined before `initialize`. */
  get revision(): LegacyRevision | undefined {
    return this.#revision;
  }

  /** Whether the client has said `notifications/initialized`. */
  get initialized(): boolean {
    return this.#initialized;
  }

  /**
   * Asks the client something.
   * @throws IdewireError `protocol` before the client is initialized: it takes any request that
   * comes earlier for the answer to its own
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    if (this.#initialized) return this.peer.request(method, params, options);
    const error = new IdewireError("protocol", `${method} may not be sent before initialized`);
    return Promise.reject(error);
  }

  /** For the peer: answers one call. */
  handle(call: Call): unknown {
    const { observer } = this.#options;
    observer?.oncall?.(call);
    if (call.id === undefined) return this.#notice(call);
    if (call.method === Method.Ping) return EMPTY;
    if (call.method === Method.Initialize) return this.#initialize(call.params);
    if (this.#revision === undefined) {
      throw invalidRequest(`${describeValue(call.method)} came before initialize`);
    }
    switch (call.method) {
      case Method.ToolsCall:
        return this.#callTool(call);
      case Method.ToolsList:
        return this.#server.toolList();
      case Method.ResourcesList:
        return NO_RESOURCES;
      case Method.ResourceTemplatesList:
        return NO_TEMPLATES;
      case Method.PromptsList:
        return NO_PROMPTS;
      default:
        throw methodNotFound(call.method);
    }
  }

  #notice(call: Call): void {
    const { observer } = this.#options;
    if (call.method !== Method.Initialized) {
      observer?.onnotification?.(call.method, call.params);
    } else if (this.#revision !== undefined && !this.#initialized) {
      this.#initialized = true;
      observer?.oninitialized?.();
    }
  }

  #initialize(params: Params | undefined): InitializeResult {
    if (this.#revision !== undefined) {
      throw invalidRequest(`initialize came before, and ${this.#revision} was agreed on`);
    }
    const client = parseImplementation(params?.["clientInfo"]);
    if (typeof params?.["protocolVersion"] !== "string") {
      const seen = describeValue(params?.["protocolVersion"]);
      throw invalidParams(`protocolVersion: expected a string, got ${seen}`);
    }
    const { info, instructions, minimumRevision } = this.#server.options;
    const revision = negotiateRevision(params["protocolVersion"], minimumRevision);
    this.#revision = revision;
    this.peer.acceptsBatches = legacyRevisions[revision].batches;
    this.#options.observer?.oninitialize?.(client);
    return {
      protocolVersion: revision,
      capabilities: { tools: { listChanged: true } },
      serverInfo: info,
      ...(instructions !== undefined && { instructions }),
    };
  }

  #callTool(call: Call): CallToolResult | Promise<CallToolResult> {
    const name = call.params?.["name"];
    const tool = typeof name === "string" ? this.#server.tool(name) : undefined;
    if (tool === undefined) throw invalidParams(`Unknown tool: ${describeValue(name)}`);
    const args = tool.parse(call.params?.["arguments"] ?? {});
    if (!args.ok) {
      if (this.#server.options.argumentErrors === "invalid-params") throw invalidParams(args.issue);
      return errorResult(`Invalid arguments for ${name}: ${args.issue}`);
    }
    try {
      const result = tool.run(args.value as never, this.#options.context, call);
      return result instanceof Promise ? result.catch(toErrorResult) : result;
    } catch (error) {
      return toErrorResult(error);
    }
  }
}

function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof ToolFailure) return errorResult(error.message);
  throw error;
}

function invalidRequest(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidRequest, `Invalid Request: ${what}`);
}

function invalidParams(what: string): RpcError {
  return new RpcError(RpcErrorCode.InvalidParams, `Invalid params: ${what}`);
}

/** A client that does not say who it is, is served all the same. */
function parseImplementation(value: unknown): Implementation {
  const { name, version, title } = isObject(value) ? value : {};
  return {
    name: typeof name === "string" ? name : "unknown",
    version: typeof version === "string" ? version : "unknown",
    ...(typeof title === "string" && { title }),
  };
}
