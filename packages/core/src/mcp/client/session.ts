import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import type { Call } from "../../rpc/call.ts";
import { answerLimits } from "../../rpc/costly-json.ts";
import { methodNotFound, type Params } from "../../rpc/message.ts";
import { Peer } from "../../rpc/peer.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CloseReason, Transport } from "../../rpc/transport.ts";
import { ELICITATION_COMPLETE } from "../elicitation.ts";
import {
  type Capabilities,
  type InitializeResult,
  infoOf,
  Method,
  mcpRequestLifecycle,
} from "../protocol.ts";
import { modernRevision, type Revision } from "../versions.ts";
import { capabilitiesOf, type McpClientOptions } from "./client-options.ts";
import {
  type ClientConnection,
  type ConnectionOwner,
  connectOnce,
  type HandshakeOptions,
  type SendRequestOver,
} from "./connection.ts";
import type {
  ClientFeature,
  ClientHandler,
  ClientRequest,
  ClientSession,
  ListName,
  NotificationListener,
  ResultHandler,
} from "./feature.ts";
import { initialize } from "./initialize.ts";
import { missingCapability } from "./missing-capability.ts";
import { ClientChanges } from "./modern/changes.ts";
import { ModernEra, type ModernEraOwner } from "./modern/modern-era.ts";
import { type OpenTransport, ReopeningConnection } from "./reopening.ts";
import type { ListenOptions, ListenTopics, Subscription } from "./subscription.ts";
import { idOfUnread, messagesAtEnd } from "./unread-answer.ts";

/** The conversation of one client with its server, in the era of the server, over one transport after another. */
export class Session implements ClientSession, ConnectionOwner, ModernEraOwner {
  readonly meta: Map<string, unknown> = new Map();
  readonly changes: ClientChanges = new ClientChanges(this);
  readonly options: McpClientOptions;
  readonly #connection: ClientConnection;
  readonly #requests: ReadonlyMap<string, ClientHandler>;
  readonly #results: ReadonlyMap<string, ResultHandler>;
  readonly #around: ClientFeature | undefined;
  readonly #restorers = new Set<() => void>();
  readonly #era: ModernEra | undefined;
  readonly #listeners = new Set<(method: string, params: Params | undefined) => void>();
  #server: InitializeResult | undefined;
  /** Starts in the legacy era, and again if the server is one of the modern era by then. */
  readonly #sendInLegacy = (request: ClientRequest): Promise<unknown> =>
    this.deliver(request, this.#sendAgain);
  readonly #sendAgain: SendRequestOver = (_, request) => this.send(request);

  constructor(to: Transport | OpenTransport, options: McpClientOptions) {
    this.options = options;
    const { era, features = [], protocolVersion, peer, reopen } = options;
    this.#requests = new Map(features.flatMap(({ requests = {} }) => Object.entries(requests)));
    this.#results = new Map(features.flatMap(({ results = {} }) => Object.entries(results)));
    this.#around = features.find((feature) => feature.around !== undefined);
    const hasModern = era !== "legacy" && protocolVersion === undefined;
    if (hasModern) this.#era = new ModernEra(this, options);
    this.#connection =
      typeof to === "function"
        ? new ReopeningConnection(to, this, { clock: peer?.clock, reopen })
        : connectOnce(to, this);
    for (const feature of features) feature.attach?.(this);
  }

  /** Makes it ready for requests. */
  async start(): Promise<void> {
    const { signal, timeoutMs } = this.options;
    await this.#connection.start({ signal, timeoutMs });
    this.#serveChanges();
  }

  /** The conversation over the transport that is open now, or was last. */
  get peer(): Peer {
    return this.#connection.peer;
  }

  get closed(): Promise<CloseReason> {
    return this.#connection.closed;
  }

  get server(): InitializeResult {
    if (this.#server === undefined) throw new IdewireError("protocol", "not initialized yet");
    return this.#server;
  }

  get revision(): Revision {
    return this.server.protocolVersion as Revision;
  }

  get isModern(): boolean {
    return this.#modern !== undefined;
  }

  /** The capabilities of a server of the modern era; undefined for any other. */
  get modernCapabilities(): Capabilities | undefined {
    return this.isModern ? this.server.capabilities : undefined;
  }

  /** The modern era, where the server speaks it. */
  get #modern(): ModernEra | undefined {
    return this.#server?.protocolVersion === modernRevision ? this.#era : undefined;
  }

  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    const capability = missingCapability(method, this);
    if (capability !== undefined) {
      const text = `${method} requires a server with ${capability}`;
      return Promise.reject(new IdewireError("protocol", text));
    }
    return this.send({ method, params, options });
  }

  /** Sends a request, whatever the server has announced. */
  send(request: ClientRequest): Promise<unknown> {
    const modern = this.#modern;
    if (modern !== undefined) return modern.request(request);
    return this.#around?.around?.(request, this.#sendInLegacy, this) ?? this.#sendInLegacy(request);
  }

  /**
   * Sends a request in the era of the server that answers by then, which may have been replaced.
   * @param inModern sends it in the modern era
   */
  deliver(request: ClientRequest, inModern: SendRequestOver): Promise<unknown> {
    return this.#connection.request(request, inModern);
  }

  sendOver(peer: Peer, request: ClientRequest, inModern: SendRequestOver): Promise<unknown> {
    const { method, params, options } = request;
    return this.isModern ? inModern(peer, request) : peer.request(method, params, options);
  }

  answer(call: Call): { readonly result: unknown } | undefined {
    const handler = this.#requests.get(call.method);
    return handler && { result: handler(call, this) };
  }

  on(method: string, listener: NotificationListener): Unsubscribe {
    const listen = (notified: string, params: Params | undefined) => {
      if (notified === method) listener(params);
    };
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  }

  onReopen(restore: () => void): Unsubscribe {
    this.#restorers.add(restore);
    return () => void this.#restorers.delete(restore);
  }

  onListChanged(list: ListName, listener: () => void): Unsubscribe {
    const method = `notifications/${list}/list_changed`;
    const stop = this.on(method, listener);
    const { end } = this.changes.follow(method);
    return () => {
      stop();
      end();
    };
  }

  onElicitationComplete(elicitationId: string, listener: () => void): Unsubscribe {
    const stop = this.on(ELICITATION_COMPLETE, (params) => {
      if (params?.["elicitationId"] !== elicitationId) return;
      stop();
      listener();
    });
    return stop;
  }

  listen(topics: ListenTopics, options: ListenOptions = {}): Promise<Subscription> {
    return this.changes.listen(topics, options);
  }

  redact<T>(value: T): T {
    return this.peer.redact(value);
  }

  warn(words: string): void {
    this.options.onwarning?.(words);
  }

  /** Calls the listeners of a notification, as though the server had sent it. */
  emit(method: string, params?: Params): void {
    this.#modern?.notice(method, params);
    this.changes.notice(method, params);
    // Those that subscribe meanwhile are not called, nor are those that end meanwhile.
    for (const listen of [...this.#listeners]) {
      if (this.#listeners.has(listen)) listen(method, params);
    }
  }

  notify(method: string, params?: Params): void {
    if (this.#server !== undefined && !this.isModern) this.peer.notify(method, params);
  }

  close(code?: number, reason?: string): Promise<CloseReason> {
    this.changes.close();
    this.#connection.close(code, reason);
    return this.closed;
  }

  /** For the peer: handles one call of the server. */
  handle(call: Call): unknown {
    if (call.id === undefined) {
      this.emit(call.method, call.params);
      return this.options.onnotification?.(call.method, call.params);
    }
    // Servers of the modern era ask in their results.
    if (this.isModern) return methodNotFound(call.method);
    if (call.method === Method.Ping) return {};
    const answer = this.answer(call);
    return answer === undefined ? methodNotFound(call.method) : answer.result;
  }

  /**
   * For the peer: takes the messages at the end of a frame; fails the request of an answer that is
   * malformed or too costly to parse.
   */
  handleUnread(frame: string, why: string): boolean {
    const found = messagesAtEnd(frame, { ...answerLimits, ...this.options.peer });
    for (const { start, message } of found) this.peer.receive(message, frame.length - start);
    if (found.length > 0) return true;
    const id = idOfUnread(frame);
    if (id === undefined) return false;
    // An error costs more than all else that is done with the frame.
    const error = new IdewireError("protocol", `The answer of the server cannot be read: ${why}`);
    this.peer.requests?.fail(id, error);
    return false;
  }

  createPeer(transport: Transport): Peer {
    const { peer, onerror } = this.options;
    return new Peer(transport, {
      ...answerLimits,
      ...peer,
      ...(onerror && { onerror }),
      isClient: true,
      handler: this,
      lifecycle: mcpRequestLifecycle,
    });
  }

  async handshake(peer: Peer, options?: HandshakeOptions): Promise<void> {
    const { protocolVersion } = this.options;
    const initializeServer = () =>
      initialize(
        peer,
        {
          info: infoOf(this.options),
          protocolVersion,
          capabilitiesIn: (revision) => capabilitiesOf(this.options, revision),
        },
        options,
      );
    this.#server = await (this.#era?.handshake(peer, initializeServer, options) ??
      initializeServer());
  }

  mayHandshakeAgain(): boolean {
    return this.#era?.hasFailed === true;
  }

  async handshakeAgain(): Promise<void> {
    await this.handshake(this.peer);
    if (!this.isModern) this.restore();
  }

  restore(): void {
    this.#serveChanges();
    for (const restore of this.#restorers) restore();
  }

  hasListeners(): boolean {
    return (
      this.#restorers.size > 0 ||
      this.#listeners.size > 0 ||
      this.options.onnotification !== undefined
    );
  }

  finish(type: string, result: Params, request: ClientRequest): Promise<unknown> | undefined {
    return this.#results.get(type)?.(result, request, this);
  }

  #serveChanges(): void {
    this.changes.serve(this.modernCapabilities);
  }
}
