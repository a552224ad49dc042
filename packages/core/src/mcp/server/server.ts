import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { logError } from "../../rpc/answer.ts";
import type { Call } from "../../rpc/call.ts";
import { formatNotification, type Params } from "../../rpc/message.ts";
import type { Transport } from "../../rpc/transport.ts";
import { describedIn, laterInInfo } from "../in-revision.ts";
import type { LogLevel } from "../logging.ts";
import { UPDATED } from "../modern-keys.ts";
import { type InitializeResult, infoOf, mergeCapabilities } from "../protocol.ts";
import type { InputSchema, Schema } from "../schemas/infer.ts";
import { type Revision, revisions } from "../versions.ts";
import { McpConnection } from "./connection.ts";
import { Conversation, type OpenOptions } from "./conversation.ts";
import { FeatureHandlers } from "./feature-handlers.ts";
import { completion } from "./features/completion.ts";
import { logging } from "./features/logging.ts";
import {
  type PromptArgumentOptions,
  type PromptHandler,
  type PromptOptions,
  Prompts,
} from "./features/prompts.ts";
import type { ResourceHandler, ResourceOptions } from "./features/resource-options.ts";
import { Resources } from "./features/resources.ts";
import { Tools } from "./features/tools.ts";
import { type Answer, type HandleOptions, handleMessage } from "./handle.ts";
import { memoryStore } from "./memory-store.ts";
import { AttachedModernEra } from "./modern/modern-era.ts";
import { NegotiatedParameters } from "./negotiated-parameters.ts";
import { sendLog } from "./send-log.ts";
import type { ServerCall } from "./server-call.ts";
import type { ConnectionObserver, ConnectOptions, ServerConnection } from "./server-connection.ts";
import type {
  AttachedServer,
  FeatureHandler,
  FeatureOwner,
  ServerFeature,
} from "./server-feature.ts";
import {
  type McpServerOptions,
  type ModernServer,
  requireServerOptions,
  type ServerDefinition,
} from "./server-options.ts";
import type { McpStore } from "./store.ts";
import type {
  NoInput,
  StructuredAnswer,
  Tool,
  ToolAnswer,
  ToolHandler,
  ToolOptions,
} from "./tool.ts";

/** The topic of the bus by which instances inform each other of changes. */
const CHANGES = "changes";

/**
 * A server for any number of connections, in both eras of MCP. Its definitions are shared by all of them.
 *
 * @example
 * const server = new McpServer({ name: "weather", version: "1.0.0" });
 * server.tool("forecast", { input: z.object({ city: z.string() }) }, ({ city }) => `Sunny in ${city}`);
 */
export class McpServer<Context = unknown>
  implements ServerDefinition<Context>, AttachedServer<Context>, FeatureOwner<Context>
{
  readonly options: McpServerOptions<Context>;
  /** For a connection: the server's own features and the extensions. */
  readonly features: readonly ServerFeature<Context>[];
  /** For a connection: the negotiated parameters, shared with other connections. */
  readonly negotiated: NegotiatedParameters = new NegotiatedParameters();
  /** For a connection: the modern era, if the server speaks it. */
  readonly modern: ModernServer<Context> | undefined;
  /** The state that outlives a request. */
  readonly store: McpStore;
  /** Reports an unexpected error to the author. */
  readonly reportError: (error: unknown) => void;
  /** For a connection: the tools. */
  readonly tools: Tools<Context>;
  readonly #resources: Resources<Context>;
  readonly #prompts: Prompts<Context>;
  readonly #connections = new Set<ServerConnection<Context>>();
  readonly #handlers = new FeatureHandlers<Context>();
  /** Whether a client has been served: earlier additions are not reported as changes. */
  #hasServed = false;
  #isClosed = false;

  /** @throws IdewireError `invalid-argument` for an unknown option, or one that cannot be used */
  constructor(options: McpServerOptions<Context>) {
    requireServerOptions(options);
    this.options = options;
    const { logLevel, eras, features = [], onerror = logError } = options;
    this.reportError = (error) =>
      onerror(error instanceof Error ? error : new Error(String(error)));
    this.tools = new Tools(this);
    this.#resources = new Resources(this, options.subscriptions);
    this.#prompts = new Prompts(this);
    this.features = [
      ...(logLevel === "off" ? [] : [logging]),
      ...[this.#resources, this.#prompts, completion([this.#resources, this.#prompts])],
      ...features,
    ];
    this.modern = eras === "legacy" ? undefined : new AttachedModernEra(this);
    this.store = options.store ?? memoryStore();
    for (const feature of this.features) {
      this.#handlers.add(feature);
      feature.attach?.(this);
    }
    const onmessage = (message: string) => {
      const { method, params } = JSON.parse(message) as { method: string; params?: Params };
      this.emitLocal(method, params);
    };
    this.store.bus.subscribe(CHANGES, onmessage).catch(this.reportError);
  }

  /** How many entries a page of a list has; all of them by default. */
  get pageSize(): number | undefined {
    return this.options.pageSize;
  }

  /** The clients that are connected now. */
  get connections(): ReadonlySet<ServerConnection<Context>> {
    return this.#connections;
  }

  /**
   * Answers one message of the modern era, which stands for itself: that of an HTTP request, for instance.
   * A handler that is done in the same turn is answered in the same turn.
   * @throws IdewireError `invalid-argument` for a server that speaks the legacy era only; `closed`
   */
  handle(message: unknown, options: HandleOptions<Context>): Answer {
    this.#serve();
    if (this.modern !== undefined)
      return handleMessage(this.modern, message, options, this.reportError);
    throw new IdewireError("invalid-argument", "This server speaks the legacy era only");
  }

  /**
   * Opens a conversation of the legacy era, whatever carries its messages, or continues one that was opened
   * before.
   */
  open(options: OpenOptions<Context>): Conversation<Context> {
    this.#serve();
    const conversation = new Conversation(this, options);
    if (options.receivesChanges !== false) this.#keep(conversation.connection, options.observer);
    return conversation;
  }

  /** Serves one client; the connection owns the transport. */
  connect(transport: Transport, options: ConnectOptions<Context>): ServerConnection<Context>;
  connect(
    this: undefined extends Context ? McpServer<Context> : never,
    transport: Transport,
    options?: Partial<ConnectOptions<Context>>,
  ): ServerConnection<Context>;
  connect(
    transport: Transport,
    options: Partial<ConnectOptions<Context>> = {},
  ): ServerConnection<Context> {
    this.#serve();
    const connection = new McpConnection(this, transport, options as ConnectOptions<Context>);
    this.#keep(connection, options.observer);
    return connection;
  }

  /**
   * Adds a tool and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` for a definition that cannot be used, and for a name in use
   */
  tool<
    const Output extends Schema,
    const Answer extends StructuredAnswer<Output>,
    const Input extends InputSchema = NoInput,
  >(
    name: string,
    options: ToolOptions<Context, Input, Output> & { readonly output: Output },
    handler: ToolHandler<Context, Input, Answer>,
  ): Unsubscribe;
  /** The same for a tool without a structured result. */
  tool<const Input extends InputSchema = NoInput>(
    name: string,
    options: ToolOptions<Context, Input, undefined>,
    handler: ToolHandler<Context, Input, ToolAnswer>,
  ): Unsubscribe;
  tool(
    name: string,
    options: ToolOptions<Context>,
    handler: ToolHandler<Context, InputSchema, unknown>,
  ): Unsubscribe {
    return this.tools.add(name, options, handler);
  }

  /**
   * Adds a resource, or by a URI template of RFC 6570 (`{name}` for one segment, `{+path}` for any text) all that
   * match it, and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` for a definition that cannot be used, and for a URI in use
   */
  resource<const Uri extends string>(
    uri: Uri,
    options: ResourceOptions<Context, Uri>,
    read: ResourceHandler<Context, Uri>,
  ): Unsubscribe {
    return this.#resources.add(uri, options, read);
  }

  /**
   * Adds a prompt and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` for a definition that cannot be used, and for a name in use
   */
  prompt<const Arguments extends PromptArgumentOptions<Context>>(
    name: string,
    options: PromptOptions<Context, Arguments>,
    get: PromptHandler<Context, Arguments>,
  ): Unsubscribe {
    return this.#prompts.add(name, options, get);
  }

  /** Notifies the subscribers of a resource that its contents have changed. */
  resourceUpdated(uri: string): void {
    this.emit(UPDATED, { uri });
  }

  /** Notifies every client that the resources that a template lists have changed. */
  resourceListChanged(): void {
    this.#resources.listChanged();
  }

  /** Whether a client of this instance is subscribed to a resource now. */
  isSubscribed(uri: string): boolean {
    return this.hasListeners(UPDATED, { uri });
  }

  /**
   * Sends a log message to every client whose level includes it; to none in the modern era, in which
   * messages belong to a call. It must contain no secrets.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    const message = { level, data, ...(logger !== undefined && { logger }) };
    for (const connection of this.#connections) sendLog(connection, message);
  }

  findTool(name: string): Tool<Context> | undefined {
    return this.tools.get(name);
  }

  /** The feature's handler of a request or notification; undefined when no feature has one. */
  handlerOf(call: Call): FeatureHandler<Context> | undefined {
    return this.#handlers.of(call);
  }

  run<Result>(call: ServerCall<Context>, handler: () => Result): Result | Promise<Awaited<Result>> {
    const { around } = this.options;
    if (around === undefined) return handler();
    return around(call, async () => (await handler()) as never) as Promise<Awaited<Result>>;
  }

  /** The capabilities and `serverInfo` that `initialize` returns in a revision. */
  describe(revision: Revision): Pick<InitializeResult, "capabilities" | "serverInfo"> {
    const traits = revisions[revision];
    const capabilities = mergeCapabilities(
      { tools: { listChanged: true } },
      ...this.features.map((feature) => feature.capabilities(traits)),
    );
    return { capabilities, serverInfo: describedIn(traits, infoOf(this.options), laterInInfo) };
  }

  /**
   * Sends a notification of a change to every initialized client, and to those of the modern era that
   * listen for it, of all instances; it replaces an equal unsent one.
   */
  emit(method: string, params?: Params): void {
    this.store.bus.publish(CHANGES, JSON.stringify({ method, params })).catch((error: unknown) => {
      this.reportError(error);
      this.emitLocal(method, params);
    });
  }

  /** The same for the clients of this instance alone. */
  emitLocal(method: string, params?: Params): void {
    const frame = formatNotification(method, params);
    for (const connection of this.#subscribersOf(method, params))
      connection.sendState(frame, frame);
    this.modern?.changed(method, params);
  }

  /** Notifies clients that a definition was added or removed; does nothing before the first client. */
  definitionsChanged(method: string): void {
    if (this.#hasServed) this.emit(method);
  }

  /** Whether a client of this instance would be notified of a change. */
  hasListeners(method: string, params?: Params): boolean {
    const hasListeners = this.#subscribersOf(method, params).length > 0;
    return hasListeners || this.modern?.hasListeners(method, params) === true;
  }

  /** Ends all streams of `subscriptions/listen` gracefully, before the connections are closed. */
  endSubscriptions(): void {
    this.modern?.endSubscriptions();
  }

  /**
   * Ends the streams of subscriptions gracefully and closes the connections; later ones are refused. Listeners
   * and handlers of the server are closed by their own `close`.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.endSubscriptions();
    const peers = [...this.#connections].map(({ peer }) => peer);
    for (const peer of peers) peer.close();
    await Promise.all(peers.map(({ closed }) => closed));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @throws IdewireError `closed` */
  #serve(): void {
    this.#hasServed = true;
    if (!this.#isClosed) return;
    throw new IdewireError("closed", `The server ${this.options.name} was closed`);
  }

  #subscribersOf(method: string, params?: Params): readonly ServerConnection<Context>[] {
    const isSubscribed = this.#handlers.audienceOf(method);
    return [...this.#connections].filter(
      (connection) => connection.initialized && isSubscribed?.(connection, params) !== false,
    );
  }

  #keep(connection: ServerConnection<Context>, observer?: ConnectionObserver): void {
    this.#connections.add(connection);
    void connection.peer.closed.then((reason) => {
      this.#connections.delete(connection);
      observer?.onclose?.(reason);
    });
  }
}
