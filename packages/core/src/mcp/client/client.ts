import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import type { Call } from "../../rpc/call.ts";
import { answerLimits } from "../../rpc/costly-json.ts";
import { asObject, methodNotFound, type Params } from "../../rpc/message.ts";
import { Peer } from "../../rpc/peer.ts";
import type { PeerOptions } from "../../rpc/peer-options.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";
import type { CallToolResult } from "../content.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
  mcpRequestLifecycle,
  type ToolDescription,
} from "../protocol.ts";
import { type LegacyRevision, modernRevision, type Revision } from "../versions.ts";
import type {
  AnswerAll,
  ClientDefinition,
  ClientEras,
  ClientRequest,
  ModernClient,
} from "./client-era.ts";
import { type ClientConnection, type Connector, connectOnce } from "./connection.ts";
import { capabilitiesOf, initialize } from "./initialize.ts";
import { listAll, pagesOf, toolList } from "./list-all.ts";
import type { Changes } from "./subscription.ts";
import { idOfUnread } from "./unread-answer.ts";

/** Receives the parameters of a notification. */
export type NotificationListener = (params: Params | undefined) => void;

/** Answers one method for a server; like a peer's handler, it throws RpcError to refuse. */
export type ClientHandler = (call: Call, client: McpClient) => unknown;

/** Makes of a result of another type the result that the caller of a request waits for. */
export type ResultHandler = (
  result: Params,
  request: ClientRequest,
  client: McpClient,
) => Promise<unknown>;

/**
 * What a client does at the request of a server. A feature is a value that the client is given, so that
 * a bundle contains only the features in use; one value may serve several clients.
 */
export interface ClientFeature {
  /** What the client announces in a revision, whose traits are in {@link revisions}. */
  capabilities(revision: Revision): Capabilities;
  /** By method. */
  readonly requests?: Readonly<Record<string, ClientHandler>>;
  /** `answerAll`, with which the modern era has `requests` answered: there questions come in results. */
  readonly answerAll?: AnswerAll;
  /** What results of an extension's types lead to, by `resultType`, in the modern era. */
  readonly results?: Readonly<Record<string, ResultHandler>>;
  /** Called by each client that the feature is given to, before anything is sent. */
  attach?(client: McpClient): void;
}

export interface McpClientOptions {
  readonly info: Implementation;
  /** Capabilities to announce in addition to those of the features. */
  readonly capabilities?: Capabilities;
  /** The revision to request by `initialize`, without asking for another era; the newest by default. */
  readonly protocolVersion?: LegacyRevision;
  /** The eras to speak; the legacy one by default. */
  readonly eras?: ClientEras;
  /** Roots, sampling and elicitation. */
  readonly features?: readonly ClientFeature[];
  /** Called for every notification of the server, in order of arrival. */
  readonly onnotification?: (method: string, params: Params | undefined) => void;
  readonly peer?: Omit<PeerOptions, "handler" | "lifecycle" | "isClient">;
}

/** The client's end of an MCP connection; the caller of `connect` closes it. */
export class McpClient implements Redactor {
  /**
   * Further members of the `_meta` of each request in the modern era, such as `traceparent`; those of the
   * request itself go before.
   */
  readonly meta: Map<string, unknown> = new Map();
  /** Set by the first that asks for changes, in the modern era. */
  changes: Changes | undefined;
  readonly #options: McpClientOptions;
  readonly #connection: ClientConnection;
  readonly #requests: ReadonlyMap<string, ClientHandler>;
  readonly #results: ReadonlyMap<string, ResultHandler>;
  readonly #restorers = new Set<() => void>();
  readonly #modern: ModernClient | undefined;
  readonly #listeners = new Set<(method: string, params: Params | undefined) => void>();
  #server: InitializeResult | undefined;

  private constructor(connect: Connector, options: McpClientOptions) {
    this.#options = options;
    const { eras, features = [], protocolVersion } = options;
    this.#requests = new Map(features.flatMap(({ requests = {} }) => Object.entries(requests)));
    this.#results = new Map(features.flatMap(({ results = {} }) => Object.entries(results)));
    this.#connection = connect({
      createPeer: (transport) =>
        new Peer(transport, {
          ...answerLimits,
          ...options.peer,
          isClient: true,
          handler: this,
          lifecycle: mcpRequestLifecycle,
        }),
      greet: (peer, request) => this.#greet(peer, request),
      greetsAnew: () => this.#modern?.hasUpset === true,
      restore: () => this.#restore(),
      isHeard: () =>
        this.#restorers.size > 0 ||
        this.#listeners.size > 0 ||
        options.onnotification !== undefined,
    });
    if (protocolVersion === undefined) this.#modern = eras?.modern?.attach(this.#define());
    for (const feature of features) feature.attach?.(this);
  }

  /**
   * Asks the server what it speaks, where the client speaks both eras; in the legacy one it then sends
   * `initialize`, checks the answer and sends `notifications/initialized`. The client owns the transport,
   * which is closed when this fails.
   * @param to an open transport, whose end is the client's; or what opens one, such as `reopening`
   * @throws IdewireError `version-mismatch` when the server answers with an unknown revision, `closed`,
   * `timeout`, `cancelled` or `protocol`; what the opener throws
   * @throws RpcError when the server refuses
   */
  static async connect(
    to: Transport | Connector,
    options: McpClientOptions,
    request?: RequestOptions,
  ): Promise<McpClient> {
    const client = new McpClient(typeof to === "function" ? to : connectOnce(to), options);
    try {
      await client.#connection.start(request);
      client.#serve();
    } catch (error) {
      client.close(CloseCode.PolicyViolation, "initialize failed");
      throw error;
    }
    return client;
  }

  /** The conversation over the transport that is open now, or was last. */
  get peer(): Peer {
    return this.#connection.peer;
  }

  /** Resolves when the connection has closed for good. */
  get closed(): Promise<CloseReason> {
    return this.#connection.closed;
  }

  /** What the server has last said of itself, in answer to `initialize` or `server/discover`. */
  get server(): InitializeResult {
    if (this.#server === undefined) throw new IdewireError("protocol", "not initialized yet");
    return this.#server;
  }

  /** Whether the server has said what it is. */
  get initialized(): boolean {
    return this.#server !== undefined;
  }

  /** The negotiated revision; {@link revisions} says what it supports. */
  get revision(): Revision {
    return this.server.protocolVersion as Revision;
  }

  /**
   * Calls a listener for one kind of notification of the server. In the modern era servers tell of changes only
   * when asked to, by `onListChanged`, `subscribeResource` or `listen`.
   */
  on(method: string, listener: NotificationListener): Unsubscribe {
    const hear = (told: string, params: Params | undefined) => {
      if (told === method) listener(params);
    };
    this.#listeners.add(hear);
    return () => void this.#listeners.delete(hear);
  }

  /**
   * Calls back after each reopening, to restore what the server had been told; changes that it would have
   * notified in the meantime may have been missed.
   */
  onReopen(restore: () => void): Unsubscribe {
    this.#restorers.add(restore);
    return () => void this.#restorers.delete(restore);
  }

  /**
   * Sends a request that needs a capability of the server.
   * @throws IdewireError `protocol`, before anything is sent, when the server has not announced it;
   * `lost`, where it is reopened, when the connection breaks before the answer
   */
  request(
    capability: string,
    method: string,
    params?: Params,
    options?: RequestOptions,
  ): Promise<unknown> {
    if (Object.hasOwn(this.server.capabilities, capability)) {
      return this.send(method, params, options);
    }
    const error = new IdewireError("protocol", `${method} requires a server with ${capability}`);
    return Promise.reject(error);
  }

  /** Sends a request that needs no capability of the server. */
  send(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    const request = { method, params, options };
    return (
      this.modern?.request(request) ??
      this.#deliver(request, (_, modern) => modern.request(request))
    );
  }

  /** Answers what a server asks, as the features do; undefined when none of them does. */
  answer(call: Call): { readonly result: unknown } | undefined {
    const handler = this.#requests.get(call.method);
    return handler && { result: handler(call, this) };
  }

  /** All tools, from all pages. */
  listTools(options?: RequestOptions): Promise<readonly ToolDescription[]> {
    return listAll(this, toolList, options);
  }

  /** The tools, page by page. */
  toolPages(options?: RequestOptions): AsyncIterable<readonly ToolDescription[]> {
    return pagesOf(this, toolList, options);
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`.
   * @throws RpcError -32602 for a tool that the server does not have
   */
  callTool(name: string, args: Params = {}, options?: RequestOptions): Promise<CallToolResult> {
    return this.request("tools", Method.ToolsCall, { name, arguments: args }, options).then(
      (answer) => toCallToolResult(answer, this),
    );
  }

  /** Asks whether the server is there: in the modern era, which has no `ping`, what it is. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.send(Method.Ping, undefined, options);
  }

  /** A value of the server's without the secrets that the transport has sent, for messages to a person. */
  redact<T>(value: T): T {
    return this.peer.redact(value);
  }

  /** Calls the listeners of a notification, as though the server had sent it. */
  tell(method: string, params?: Params): void {
    this.modern?.notice(method, params);
    this.changes?.hear(method, params);
    // Those that subscribe meanwhile are not called, nor are those that end meanwhile.
    for (const hear of [...this.#listeners]) {
      if (this.#listeners.has(hear)) hear(method, params);
    }
  }

  /** Sends a notification; the modern era has none from clients. */
  notify(method: string, params?: Params): void {
    if (this.modern === undefined) this.peer.notify(method, params);
  }

  close(code?: number, reason?: string): void {
    this.changes?.close();
    this.#connection.close(code, reason);
  }

  /** For the peer: handles one call of the server. */
  handle(call: Call): unknown {
    if (call.id === undefined) {
      this.tell(call.method, call.params);
      return this.#options.onnotification?.(call.method, call.params);
    }
    // Servers of the modern era ask in their results.
    const isAnswered = this.modern === undefined;
    if (isAnswered && call.method === Method.Ping) return {};
    const answer = isAnswered ? this.answer(call) : undefined;
    return answer === undefined ? methodNotFound(call.method) : answer.result;
  }

  /** For the peer: fails the request that an answer is for, which is no JSON or costs too much to parse. */
  handleUnread(frame: string, why: string): void {
    const id = idOfUnread(frame);
    if (id === undefined) return;
    const error = new IdewireError("protocol", `The server has sent what cannot be read: ${why}`);
    this.peer.requests?.fail(id, error);
  }

  /** The modern era, where the server speaks it: for features. */
  get modern(): ModernClient | undefined {
    return this.#server?.protocolVersion === modernRevision ? this.#modern : undefined;
  }

  /** Sends a request in the era of whoever is at the other end by then. */
  #deliver(
    { method, params, options }: ClientRequest,
    inModern: (peer: Peer, modern: ModernClient) => Promise<unknown>,
  ): Promise<unknown> {
    const send = (peer: Peer) =>
      this.modern === undefined
        ? peer.request(method, params, options)
        : inModern(peer, this.modern);
    return this.#connection.request(method, send, options);
  }

  #restore(): void {
    this.#serve();
    for (const restore of this.#restorers) restore();
  }

  #serve(): void {
    this.changes?.serve(this.modern && this.server.capabilities);
  }

  async #greet(peer: Peer, request?: RequestOptions): Promise<void> {
    const ask = () => initialize(peer, this.#options, request);
    this.#server = await (this.#modern?.greet(peer, ask, request) ?? ask());
  }

  #define(): ClientDefinition {
    const { info, features = [], eras } = this.#options;
    const [answerAll] = features.flatMap((feature) => feature.answerAll ?? []);
    return {
      info,
      capabilities: capabilitiesOf(this.#options, modernRevision),
      meta: this.meta,
      hasLegacy: eras?.legacy !== false,
      redact: (value) => this.redact(value),
      send: (request, inModern) => this.#deliver(request, inModern),
      greetAnew: async () => {
        await this.#greet(this.peer);
        if (this.modern === undefined) this.#restore();
      },
      listTools: (request) => this.listTools(request),
      answerAll: answerAll && ((asking, questions) => answerAll(this, asking, questions)),
      finish: (type, result, request) => this.#results.get(type)?.(result, request, this),
    };
  }
}

function toCallToolResult(answer: unknown, client: McpClient): CallToolResult {
  if (Array.isArray(asObject(answer)["content"])) return answer as CallToolResult;
  throw badResult("server", Method.ToolsCall, answer, client);
}
