import { IdewireError, ToolFailure } from "../../errors.ts";
import { openBatch } from "../../rpc/batch.ts";
import type { Call } from "../../rpc/call.ts";
import {
  describeValue,
  isObject,
  methodNotFound,
  type Params,
  SerializedJson,
} from "../../rpc/message.ts";
import { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import { StateOutbox } from "../../rpc/state-outbox.ts";
import type { Transport } from "../../rpc/transport.ts";
import { type CallToolResult, errorResult } from "../content.ts";
import { toolResultIn } from "../in-revision.ts";
import {
  type Capabilities,
  clientCapabilityOf,
  type Implementation,
  type InitializeResult,
  Method,
  mcpRequestLifecycle,
} from "../protocol.ts";
import { invalidParams, invalidRequest } from "../refusals.ts";
import {
  type LegacyRevision,
  legacyRevisions,
  negotiateRevision,
  newestLegacyRevision,
  type RevisionTraits,
} from "../versions.ts";
import type { Agreement, NegotiatedParameters } from "./negotiated-parameters.ts";
import type { ConnectOptions, ServerConnection } from "./server-connection.ts";
import type { FeatureHandler } from "./server-feature.ts";
import type { McpServerOptions } from "./server-options.ts";
import type { Tool } from "./tool.ts";

/** What a connection needs of the server that it belongs to. */
export interface ServerDefinition<Context> {
  readonly options: Pick<
    McpServerOptions<Context>,
    "instructions" | "argumentErrors" | "minimumRevision"
  >;
  readonly negotiated: NegotiatedParameters;
  describe(revision: LegacyRevision): Pick<InitializeResult, "capabilities" | "serverInfo">;
  tool(name: string): Tool<Context> | undefined;
  toolList(revision: LegacyRevision, cursor?: unknown): SerializedJson;
  handlerOf(call: Call): FeatureHandler<Context> | undefined;
}

const EMPTY = new SerializedJson("{}");

/** Agents request these lists regardless of the capabilities. */
const emptyLists = new Map([
  ["resources/list", new SerializedJson('{"resources":[]}')],
  ["resources/templates/list", new SerializedJson('{"resourceTemplates":[]}')],
  ["prompts/list", new SerializedJson('{"prompts":[]}')],
]);

/**
 * A client of an `McpServer` in the legacy era: the connection starts with `initialize` and keeps what
 * was negotiated (MCP 2025-11-25, Lifecycle).
 */
export class LegacyServerConnection<Context = unknown> implements ServerConnection<Context> {
  readonly peer: Peer;
  readonly #server: ServerDefinition<Context>;
  readonly #options: ConnectOptions<Context>;
  #states: StateOutbox | undefined;
  #agreed: Agreement | undefined;
  #initialized = false;

  constructor(
    server: ServerDefinition<Context>,
    transport: Transport,
    options: ConnectOptions<Context>,
  ) {
    this.#server = server;
    this.#options = options;
    this.peer = new Peer(transport, {
      ...options.peer,
      handler: this,
      lifecycle: mcpRequestLifecycle,
    });
  }

  get revision(): LegacyRevision | undefined {
    return this.#agreed?.revision;
  }

  get initialized(): boolean {
    return this.#initialized;
  }

  get context(): Context {
    return this.#options.context;
  }

  get traits(): RevisionTraits {
    return this.#agreed?.traits ?? legacyRevisions[newestLegacyRevision];
  }

  get clientCapabilities(): Capabilities {
    return this.#agreed?.clientCapabilities ?? {};
  }

  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    const capability = clientCapabilityOf.get(method);
    let fault: string | undefined;
    if (!this.#initialized) fault = "sent before initialized";
    else if (capability !== undefined && !(capability in this.clientCapabilities)) {
      fault = `requires a client with ${capability}`;
    }
    if (fault === undefined) return this.peer.request(method, params, options);
    return Promise.reject(new IdewireError("protocol", `${method} ${fault}`));
  }

  sendState(key: string, frame: string): void {
    this.#states ??= new StateOutbox(this.peer.transport);
    this.#states.send(key, frame);
  }

  /** For the peer: handles one call. */
  handle(call: Call): unknown {
    const { observer } = this.#options;
    observer?.oncall?.(call);
    if (call.id === undefined) return this.#notice(call);
    if (call.method === Method.Ping) return EMPTY;
    if (call.method === Method.Initialize) return this.#initialize(call.params);
    if (this.#agreed === undefined) {
      throw invalidRequest(`${describeValue(call.method)} before initialize`);
    }
    switch (call.method) {
      case Method.ToolsCall:
        return this.#callTool(call);
      case Method.ToolsList:
        return this.#server.toolList(this.#agreed.revision, call.params?.["cursor"]);
      default:
        return this.#answerByFeature(call);
    }
  }

  #answerByFeature(call: Call): unknown {
    const handler = this.#server.handlerOf(call);
    if (handler !== undefined) return handler(call, this);
    return emptyLists.get(call.method) ?? methodNotFound(call.method);
  }

  #notice(call: Call): void {
    const { observer } = this.#options;
    if (call.method !== Method.Initialized) {
      this.#server.handlerOf(call)?.(call, this);
      observer?.onnotification?.(call.method, call.params);
    } else if (this.#agreed !== undefined && !this.#initialized) {
      this.#initialized = true;
      observer?.oninitialized?.();
    }
  }

  #initialize(params: Params | undefined): InitializeResult {
    if (this.#agreed !== undefined) {
      throw invalidRequest(`already initialized with ${this.#agreed.revision}`);
    }
    const client = parseImplementation(params?.["clientInfo"]);
    if (typeof params?.["protocolVersion"] !== "string") {
      const seen = describeValue(params?.["protocolVersion"]);
      throw invalidParams(`protocolVersion: expected a string, got ${seen}`);
    }
    const { instructions, minimumRevision } = this.#server.options;
    const revision = negotiateRevision(params["protocolVersion"], minimumRevision);
    this.#agreed = this.#server.negotiated.of(revision, params["capabilities"]);
    this.peer.openBatch = this.#agreed.traits.batches ? openBatch : undefined;
    this.#options.observer?.oninitialize?.(client);
    return {
      protocolVersion: revision,
      ...this.#server.describe(revision),
      ...(instructions !== undefined && { instructions }),
    };
  }

  #callTool(call: Call): CallToolResult | Promise<CallToolResult> {
    const name = call.params?.["name"];
    const tool = typeof name === "string" ? this.#server.tool(name) : undefined;
    if (tool === undefined) throw invalidParams(`Unknown tool: ${describeValue(name)}`);
    const args = tool.parse(call.params?.["arguments"] ?? {});
    if (!args.ok) return this.#refuseArguments(tool, args.issue);
    try {
      const result = tool.run(args.value as never, this.#options.context, call);
      call.release();
      if (this.traits.structuredOutput) {
        return result instanceof Promise ? result.catch(toErrorResult) : result;
      }
      return result instanceof Promise
        ? result.then((late) => toolResultIn(this.traits, late), toErrorResult)
        : toolResultIn(this.traits, result);
    } catch (error) {
      return toErrorResult(error);
    }
  }

  #refuseArguments(tool: Tool<Context>, issue: string): CallToolResult {
    const { argumentErrors = this.traits.argumentErrors } = this.#server.options;
    if (argumentErrors === "invalid-params") throw invalidParams(issue);
    return errorResult(`Invalid arguments for ${tool.description.name}: ${issue}`);
  }
}

function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof ToolFailure) return errorResult(error.message);
  throw error;
}

/** A missing or invalid `clientInfo` is no reason to refuse a client. */
function parseImplementation(value: unknown): Implementation {
  const { name, version, title } = isObject(value) ? value : {};
  return {
    name: typeof name === "string" ? name : "unknown",
    version: typeof version === "string" ? version : "unknown",
    ...(typeof title === "string" && { title }),
  };
}
