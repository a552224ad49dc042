import { IdewireError } from "../errors.ts";
import type { Call } from "../rpc/call.ts";
import { describeValue, isObject, type Params } from "../rpc/message.ts";
import { methodNotFound, Peer, type PeerOptions } from "../rpc/peer.ts";
import type { RequestOptions } from "../rpc/pending-requests.ts";
import { CloseCode, type CloseReason, type Transport } from "../rpc/transport.ts";
import type { CallToolResult } from "./content.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
  mcpConventions,
  type ToolDescription,
} from "./protocol.ts";
import {
  isLegacyRevision,
  type LegacyRevision,
  legacyRevisions,
  newestLegacyRevision,
} from "./versions.ts";

export interface McpClientOptions {
  readonly info: Implementation;
  /** What this client can do for the server; `{}` when left out. */
  readonly capabilities?: Capabilities;
  /** The revision to ask for; the newest legacy one when left out. */
  readonly protocolVersion?: LegacyRevision;
  /** Answers `roots/list`; the capability is announced with it. */
  readonly roots?: () => readonly { readonly uri: string; readonly name?: string }[];
  /** Takes every notification of the server, in the order in which they come. */
  readonly onnotification?: (method: string, params: Params | undefined) => void;
  readonly peer?: Omit<PeerOptions, "handler" | "conventions">;
}

/** The agent's end of MCP's legacy era. Whoever connects it closes it. */
export class McpClient {
  readonly peer: Peer;
  readonly #options: McpClientOptions;
  #server: InitializeResult | undefined;

  private constructor(transport: Transport, options: McpClientOptions) {
    this.#options = options;
    this.peer = new Peer(transport, {
      ...options.peer,
      handler: this,
      conventions: mcpConventions,
    });
  }

  /**
   * Says `initialize`, checks the answer and says `notifications/initialized`. The client owns the
   * transport, which is closed when this fails.
   * @throws IdewireError `version-mismatch` when the server answers with a revision that we do not
   * know, `closed`, `timeout` or `protocol`
   * @throws RpcError when the server refuses
   */
  static async connect(
    transport: Transport,
    options: McpClientOptions,
    request?: RequestOptions,
  ): Promise<McpClient> {
    const client = new McpClient(transport, options);
    try {
      await client.#initialize(request);
    } catch (error) {
      client.close(CloseCode.PolicyViolation, "initialize failed");
      throw error;
    }
    return client;
  }

  /** Settles when the connection has closed. */
  get closed(): Promise<CloseReason> {
    return this.peer.closed;
  }

  /** What the server said of itself. */
  get server(): InitializeResult {
    if (this.#server === undefined) throw new IdewireError("protocol", "not initialized yet");
    return this.#server;
  }

  /** All tools, page after page. */
  async listTools(options?: RequestOptions): Promise<readonly ToolDescription[]> {
    const tools: ToolDescription[] = [];
    const cursors = new Set<unknown>();
    let cursor: unknown;
    do {
      const params = cursor === undefined ? undefined : { cursor };
      const page = await this.peer.request(Method.ToolsList, params, options);
      if (!isObject(page) || !Array.isArray(page["tools"])) throw badResult(Method.ToolsList, page);
      tools.push(...(page["tools"] as ToolDescription[]));
      cursor = page["nextCursor"] ?? undefined;
      if (cursors.has(cursor)) throw badResult(Method.ToolsList, page);
      cursors.add(cursor);
    } while (cursor !== undefined);
    return tools;
  }

  /**
   * Calls a tool. A failure of the tool itself is a result with `isError`.
   * @throws RpcError -32602 for a tool that the server does not have
   */
  callTool(name: string, args: Params = {}, options?: RequestOptions): Promise<CallToolResult> {
    return this.peer
      .request(Method.ToolsCall, { name, arguments: args }, options)
      .then(toCallToolResult);
  }

  async ping(options?: RequestOptions): Promise<void> {
    await this.peer.request(Method.Ping, undefined, options);
  }

  close(code?: number, reason?: string): void {
    this.peer.close(code, reason);
  }

  /** For the peer: answers one call of the server. */
  handle(call: Call): unknown {
    if (call.id === undefined) return this.#options.onnotification?.(call.method, call.params);
    if (call.method === Method.Ping) return {};
    const { roots } = this.#options;
    if (call.method === Method.RootsList && roots !== undefined) return { roots: roots() };
    throw methodNotFound(call.method);
  }

  async #initialize(request: RequestOptions | undefined): Promise<void> {
    const { info, capabilities, roots, protocolVersion } = this.#options;
    const answer = await this.peer.request(
      Method.Initialize,
      {
        protocolVersion: protocolVersion ?? newestLegacyRevision,
        capabilities: { ...(roots !== undefined && { roots: {} }), ...capabilities },
        clientInfo: info,
      },
      { ...request, silent: true },
    );
    this.#server = parseInitializeResult(answer);
    const revision = this.#server.protocolVersion as LegacyRevision;
    this.peer.acceptsBatches = legacyRevisions[revision].batches;
    this.peer.notify(Method.Initialized);
  }
}

function parseInitializeResult(answer: unknown): InitializeResult {
  if (!isObject(answer) || !isObject(answer["serverInfo"])) {
    throw badResult(Method.Initialize, answer);
  }
  const version = answer["protocolVersion"];
  if (!isLegacyRevision(version)) {
    throw new IdewireError(
      "version-mismatch",
      `The server speaks MCP ${describeValue(version)}; this client ${Object.keys(legacyRevisions).join(", ")}`,
    );
  }
  const capabilities = isObject(answer["capabilities"]) ? answer["capabilities"] : {};
  return { ...(answer as unknown as InitializeResult), capabilities };
}

function toCallToolResult(answer: unknown): CallToolResult {
  if (isObject(answer) && Array.isArray(answer["content"])) {
    return answer as unknown as CallToolResult;
  }
  throw badResult(Method.ToolsCall, answer);
}

function badResult(method: string, answer: unknown): IdewireError {
  return new IdewireError(
    "protocol",
    `The server answered ${method} with ${describeValue(answer)}`,
  );
}
