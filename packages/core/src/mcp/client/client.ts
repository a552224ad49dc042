import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { asObject, type Params } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { CloseCode, type CloseReason, type Transport } from "../../rpc/transport.ts";
import { describeValue } from "../../text/describe-value.ts";
import type {
  CallToolResult,
  ResourceContents,
  ResourceDescription,
  ResourceTemplateDescription,
} from "../content.ts";
import {
  isLogLevel,
  LOG_MESSAGE,
  type LogLevel,
  type LogMessage,
  SET_LOG_LEVEL,
} from "../logging.ts";
import { LOG_LEVEL } from "../modern-keys.ts";
import type { GetPromptResult, PromptArguments, PromptDescription } from "../prompts.ts";
import { type InitializeResult, Method, type ToolDescription } from "../protocol.ts";
import type { Revision } from "../versions.ts";
import { type McpClientOptions, requireClientOptions } from "./client-options.ts";
import { type CompletionQuestion, type Completions, requestCompletions } from "./completion.ts";
import { isPromptMessage, isResourceContents } from "./content-items.ts";
import type { ClientSession, ListName, NotificationListener } from "./feature.ts";
import { listAll, pagesOf, promptList, resourceList, templateList, toolList } from "./list-all.ts";
import { type CheckedToolResult, createOutputCheck } from "./output-check.ts";
import type { OpenTransport } from "./reopening.ts";
import { ResourceSubscriptions } from "./resource-subscriptions.ts";
import { Session } from "./session.ts";
import type { ListenOptions, ListenTopics, Subscription } from "./subscription.ts";
import {
  type CallToolOptions,
  type CheckedCallOptions,
  toRequestOptions,
  toToolResult,
} from "./tool-call.ts";
import { usableResult } from "./usable-result.ts";

/**
 * The client's end of an MCP connection, in both eras; the caller of `connect` closes it. Requests reject with
 * an `RpcError` when the server answers with an error, and with an `IdewireError`: `protocol`, before anything is
 * sent, when the server has not announced the capability that the request needs; `timeout`, `cancelled`,
 * `closed`; `lost` when the connection breaks before the answer.
 */
export class McpClient implements Redactor {
  readonly #session: Session;
  readonly #subscriptions: ResourceSubscriptions;
  #stopRestoringLevel: Unsubscribe | undefined;

  private constructor(session: Session) {
    this.#session = session;
    this.#subscriptions = new ResourceSubscriptions(session);
  }

  /**
   * Asks the server which era it speaks; in the legacy one it then sends `initialize`, checks the answer and
   * sends `notifications/initialized`. The client owns the transport, which is closed when this fails.
   *
   * A client over a function outlives its transports: one that has closed, or whose session the server has ended,
   * is replaced for the next request, or at once while anything listens to notifications.
   * @param to an open transport; or what opens one: starts a process, dials a socket, begins an HTTP session
   * @throws IdewireError `invalid-argument` for an unknown or invalid option, by name; `version-mismatch` when
   * the server answers with an unknown revision; `closed`, `timeout`, `cancelled` or `protocol`; what the function
   * throws
   * @throws RpcError when the server refuses
   */
  static async connect(
    to: Transport | OpenTransport,
    options: McpClientOptions,
  ): Promise<McpClient> {
    requireClientOptions(options);
    if (typeof to !== "function" && typeof asObject(to)["send"] !== "function") {
      const expected = "expected a transport, or a function that opens one";
      const text = `An MCP client: ${expected}, got ${describeValue(to)}`;
      throw new IdewireError("invalid-argument", text);
    }
    const session = new Session(to, options);
    try {
      await session.start();
    } catch (error) {
      void session.close(CloseCode.PolicyViolation, "initialize failed");
      throw error;
    }
    return new McpClient(session);
  }

  /** The conversation as features see it, for functions of extensions such as `resumeTask`. */
  get session(): ClientSession {
    return this.#session;
  }

  /** The conversation over the transport that is open now, or was last. */
  get peer(): Peer {
    return this.#session.peer;
  }

  /** Resolves when the connection has closed for good. */
  get closed(): Promise<CloseReason> {
    return this.#session.closed;
  }

  /** The server's latest description of itself, in answer to `initialize` or `server/discover`. */
  get server(): InitializeResult {
    return this.#session.server;
  }

  /** The negotiated revision; `revisions` lists its traits. */
  get revision(): Revision {
    return this.#session.revision;
  }

  /** The era that the server speaks; another one when it has been replaced. */
  get era(): "legacy" | "modern" {
    return this.#session.isModern ? "modern" : "legacy";
  }

  /**
   * Further members of the `_meta` of each request in the modern era, such as `traceparent`; those of the
   * request itself take precedence.
   */
  get meta(): Map<string, unknown> {
    return this.#session.meta;
  }

  /** All tools, from all pages. */
  listTools(options?: RequestOptions): Promise<readonly ToolDescription[]> {
    return listAll(this.#session, toolList, options);
  }

  /** The tools, page by page. */
  toolPages(options?: RequestOptions): AsyncIterable<readonly ToolDescription[]> {
    return pagesOf(this.#session, toolList, options);
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`. Progress is always requested, and each
   * progress notification restarts the time-out; `maxTotalTimeoutMs` limits the whole wait.
   * With the option `output`, a schema, the structured result is checked and typed.
   * @throws RpcError -32602 for a tool that the server does not have
   * @throws IdewireError `protocol` for a structured result that does not match `output`; `invalid-argument`,
   * before anything is sent, for an unusable schema
   */
  callTool<Output>(
    name: string,
    args: Params | undefined,
    options: CheckedCallOptions<Output>,
  ): Promise<CheckedToolResult<Output>>;
  callTool(name: string, args?: Params, options?: RequestOptions): Promise<CallToolResult>;
  async callTool(
    name: string,
    args: Params = {},
    options?: CallToolOptions,
  ): Promise<CallToolResult> {
    const output = options?.output;
    const check = output === undefined ? undefined : createOutputCheck(name, output, this);
    const params = { name, arguments: args };
    const answer = await this.request(Method.ToolsCall, params, toRequestOptions(options));
    const result = toToolResult(this.#session, name, answer);
    return check === undefined ? result : check(result);
  }

  /** All prompts, from all pages. */
  listPrompts(options?: RequestOptions): Promise<readonly PromptDescription[]> {
    return listAll(this.#session, promptList, options);
  }

  /** The prompts, page by page. */
  promptPages(options?: RequestOptions): AsyncIterable<readonly PromptDescription[]> {
    return pagesOf(this.#session, promptList, options);
  }

  /**
   * The messages of a prompt with its arguments.
   * @throws RpcError -32602 when the prompt does not exist, or an argument is missing
   */
  async getPrompt(
    name: string,
    args: PromptArguments = {},
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    const method = "prompts/get";
    const answer = await this.request(method, { name, arguments: args }, options);
    const list = { method, answer, member: "messages", isItem: isPromptMessage };
    const result = usableResult(this.#session, list);
    return result as unknown as GetPromptResult;
  }

  /** All resources that the server lists, from all pages. */
  listResources(options?: RequestOptions): Promise<readonly ResourceDescription[]> {
    return listAll(this.#session, resourceList, options);
  }

  /** The resources that the server lists, page by page. */
  resourcePages(options?: RequestOptions): AsyncIterable<readonly ResourceDescription[]> {
    return pagesOf(this.#session, resourceList, options);
  }

  /** All resource templates, from all pages. */
  listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplateDescription[]> {
    return listAll(this.#session, templateList, options);
  }

  /**
   * The contents of a resource; several items for a folder, for example.
   * @throws RpcError -32002, from some servers -32602, when the resource does not exist
   */
  async readResource(uri: string, options?: RequestOptions): Promise<readonly ResourceContents[]> {
    const method = "resources/read";
    const answer = await this.request(method, { uri }, options);
    const list = { method, answer, member: "contents", isItem: isResourceContents };
    const { contents } = usableResult(this.#session, list);
    return contents as readonly ResourceContents[];
  }

  /**
   * Calls a listener when the contents of a resource have changed, and when the connection was reopened, as
   * they may have changed before. The last undo also ends the server's subscription.
   * @throws IdewireError `protocol`, before anything is sent, when the server does not support it
   */
  subscribeResource(uri: string, listener: () => void): Promise<Unsubscribe> {
    return this.#subscriptions.subscribe(uri, listener);
  }

  /**
   * Requests the possible values of an argument. In 2024-11-05, which has no capability for this, the request
   * is sent in any case.
   */
  complete(question: CompletionQuestion, options?: RequestOptions): Promise<Completions> {
    return requestCompletions(this.#session, question, options);
  }

  /**
   * Calls a listener when a list of the server has changed, in either era. In the modern one this opens a stream,
   * one for all that the client follows; the listener is also called after that was interrupted, since a change
   * may have been missed.
   */
  onListChanged(list: ListName, listener: () => void): Unsubscribe {
    return this.#session.onListChanged(list, listener);
  }

  /**
   * Opens a stream of notifications, in addition to that of `onListChanged` and `subscribeResource`, and resolves
   * when the server has agreed. A stream that breaks, or that the server ends, is opened again, ever more
   * slowly while that fails. Servers of the legacy era notify of lists without one.
   * @throws IdewireError `protocol` for a server of the legacy era; what opening fails with
   */
  listen(topics: ListenTopics, options?: ListenOptions): Promise<Subscription> {
    return this.#session.listen(topics, options);
  }

  /**
   * Sets the lowest level of the messages that the server sends, also after a reopening. In the modern era
   * each request carries it from now on.
   */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    const session = this.#session;
    if (!session.isModern) await this.request(SET_LOG_LEVEL, { level }, options);
    // A server that is reached again may be of the other era.
    session.meta.set(LOG_LEVEL, level);
    const restore = () => {
      if (!session.isModern) session.peer.request(SET_LOG_LEVEL, { level }).catch(() => {});
    };
    this.#stopRestoringLevel?.();
    this.#stopRestoringLevel = session.onReopen(restore);
  }

  /** Calls a listener for each log message of the server; invalid ones are skipped. */
  onLogMessage(listener: (message: LogMessage) => void): Unsubscribe {
    return this.on(LOG_MESSAGE, (params) => {
      const { level, data, logger } = this.redact(params ?? {});
      if (!isLogLevel(level)) return;
      listener({ level, data, ...(typeof logger === "string" && { logger }) });
    });
  }

  /** Calls a listener once when the server reports that the person has finished at a URL. */
  onElicitationComplete(elicitationId: string, listener: () => void): Unsubscribe {
    return this.#session.onElicitationComplete(elicitationId, listener);
  }

  /** Checks that the server responds: in the modern era, which has no `ping`, by `server/discover`. */
  async ping(options?: RequestOptions): Promise<void> {
    await this.request(Method.Ping, undefined, options);
  }

  /** Sends a request of any method. */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    return this.#session.request(method, params, options);
  }

  /** Sends a notification; ignored in the modern era, in which clients send none. */
  notify(method: string, params?: Params): void {
    this.#session.notify(method, params);
  }

  /**
   * Calls a listener for one kind of notification of the server. In the modern era servers notify of changes only
   * when asked to, by `onListChanged`, `subscribeResource` or `listen`.
   */
  on(method: string, listener: NotificationListener): Unsubscribe {
    return this.#session.on(method, listener);
  }

  /**
   * Calls back after each reopening, to restore the state of the server; notifications in the meantime may have
   * been missed.
   */
  onReopen(restore: () => void): Unsubscribe {
    return this.#session.onReopen(restore);
  }

  /** A value of the server's without the secrets that the transport has sent, for messages to a person. */
  redact<T>(value: T): T {
    return this.#session.redact(value);
  }

  /** Closes the connection; resolves when it has closed. */
  async close(code?: number, reason?: string): Promise<void> {
    await this.#session.close(code, reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
