import { IdewireError } from "../../errors.ts";
import { openBatch } from "../../rpc/batch.ts";
import type { Call, Progress } from "../../rpc/call.ts";
import {
  asObject,
  methodNotFound,
  type Params,
  type RequestId,
  SerializedJson,
} from "../../rpc/message.ts";
import { Peer } from "../../rpc/peer.ts";
import { StateOutbox } from "../../rpc/state-outbox.ts";
import type { Transport } from "../../rpc/transport.ts";
import { describeValue } from "../../text/describe-value.ts";
import type { LogLevel } from "../logging.ts";
import {
  type Capabilities,
  type Implementation,
  type InitializeResult,
  Method,
  mcpRequestLifecycle,
} from "../protocol.ts";
import { invalidParams, invalidRequest } from "../refusals.ts";
import {
  type LegacyRevision,
  negotiateRevision,
  newestLegacyRevision,
  type RevisionTraits,
  revisions,
} from "../versions.ts";
import { callTool } from "./call-tool.ts";
import type { AskOptions, ClientSettings, Question } from "./caller.ts";
import type { ConnectOptions, ServerConnection, SessionState } from "./server-connection.ts";
import type { ModernServer, ServerDefinition } from "./server-options.ts";

const EMPTY = new SerializedJson("{}");

/**
 * A client of an `McpServer`. In the legacy era the connection starts with `initialize` and keeps the negotiated
 * parameters (MCP 2025-11-25, Lifecycle).
 */
export class McpConnection<Context = unknown> implements ServerConnection<Context> {
  readonly peer: Peer;
  readonly #server: ServerDefinition<Context>;
  readonly #options: ConnectOptions<Context>;
  #states: StateOutbox | undefined;
  #session: SessionState | undefined;

  constructor(
    server: ServerDefinition<Context>,
    transport: Transport,
    options: ConnectOptions<Context>,
  ) {
    this.#server = server;
    this.#options = options;
    const peerOptions = { onerror: server.reportError, ...options.peer };
    this.peer = new Peer(transport, peerOptions, {
      handler: this,
      owner: this,
      lifecycle: mcpRequestLifecycle,
    });
    if (options.session !== undefined) this.restore(options.session);
  }

  get session(): SessionState | undefined {
    return this.#session;
  }

  get revision(): LegacyRevision | undefined {
    return this.#session?.revision;
  }

  get initialized(): boolean {
    return this.#session?.initialized === true;
  }

  get context(): Context {
    return (this.#options.opened ?? this.#options).context;
  }

  get principal(): string | undefined {
    return this.#options.principal;
  }

  get scopes(): readonly string[] | undefined {
    return this.#options.scopes;
  }

  onforbidden(needed: readonly string[]): void {
    this.#options.opened?.onforbidden?.(needed);
  }

  releaseStream(about: RequestId, retryMs: number): boolean {
    return this.#options.opened?.releaseStream?.(about, retryMs) === true;
  }

  get traits(): RevisionTraits {
    return revisions[this.revision ?? newestLegacyRevision];
  }

  get clientCapabilities(): Capabilities {
    return this.#session?.clientCapabilities ?? {};
  }

  get logLevel(): LogLevel | undefined {
    const { logLevel = "info" } = this.#server.options;
    return this.settings.logLevel ?? (logLevel === "off" ? undefined : logLevel);
  }

  get settings(): ClientSettings {
    return this.#session?.settings ?? {};
  }

  set(settings: ClientSettings): void {
    if (this.#session !== undefined) this.#keep({ ...this.#session, settings });
  }

  ask<T>(
    { method, params, load, parse }: Question<T>,
    { key: _, ...options }: AskOptions = {},
  ): Promise<T> {
    if (!this.initialized) {
      return Promise.reject(new IdewireError("protocol", `${method} sent before initialized`));
    }
    return this.peer.request(method, params, options).then(async (answer) => {
      await load?.();
      return parse(answer);
    });
  }

  notify(method: string, params?: Params, about?: RequestId): void {
    this.peer.notify(method, params, about);
  }

  report(call: Call, progress: Progress): void {
    this.peer.report(call, progress);
  }

  restore(session: SessionState): void {
    this.#session = session;
    this.peer.openBatch = this.traits.batches ? openBatch : undefined;
  }

  sendState(key: string, frame: string, about?: RequestId): void {
    const { opened } = this.#options;
    if (opened !== undefined) {
      opened.send(frame, about, key);
      return;
    }
    this.#states ??= new StateOutbox(this.peer.transport);
    this.#states.send(key, frame, about);
  }

  /** For the peer: handles one call. */
  handle(call: Call): unknown {
    const { observer } = this.#options;
    observer?.oncall?.(call);
    const modern = this.#modernFor(call);
    if (modern !== undefined) return modern.handle(call, this);
    if (call.id === undefined) return this.#notice(call);
    if (call.method === Method.Ping) return EMPTY;
    if (call.method === Method.Initialize) return this.#initialize(call.params);
    if (this.#session === undefined) {
      throw invalidRequest(`${describeValue(call.method)} before initialize`);
    }
    switch (call.method) {
      case Method.ToolsCall:
        return callTool(this.#server, this, call);
      case Method.ToolsList:
        return this.#server.tools.list(call, this);
      default:
        return this.#answerByFeature(call);
    }
  }

  /** The modern era if the call is of it. */
  #modernFor(call: Call): ModernServer<Context> | undefined {
    const { modern, options } = this.#server;
    const { era } = this.#options;
    if (modern === undefined || era === "legacy") return undefined;
    const isOnly = era === "modern" || options.eras === "modern";
    return isOnly || modern.owns(call) ? modern : undefined;
  }

  #answerByFeature(call: Call): unknown {
    const handler = this.#server.handlerOf(call);
    if (handler !== undefined) return handler(call, this);
    return methodNotFound(call.method);
  }

  #notice(call: Call): void {
    const { observer } = this.#options;
    if (call.method !== Method.Initialized) {
      this.#server.handlerOf(call)?.(call, this);
      observer?.onnotification?.(call.method, call.params);
    } else if (this.#session?.initialized === false) {
      this.#keep({ ...this.#session, initialized: true });
      observer?.oninitialized?.();
    }
  }

  #initialize(params: Params | undefined): InitializeResult {
    if (this.#session !== undefined) {
      throw invalidRequest(`already initialized with ${this.#session.revision}`);
    }
    const clientInfo = parseImplementation(params?.["clientInfo"]);
    if (typeof params?.["protocolVersion"] !== "string") {
      const seen = describeValue(params?.["protocolVersion"]);
      throw invalidParams(`protocolVersion: expected a string, got ${seen}`);
    }
    const { instructions, minimumRevision } = this.#server.options;
    const revision = negotiateRevision(params["protocolVersion"], minimumRevision);
    const session = this.#server.negotiated.of(revision, clientInfo, params["capabilities"]);
    this.#keep(session);
    this.#options.observer?.oninitialize?.(session.clientInfo);
    return {
      protocolVersion: revision,
      ...this.#server.describe(revision),
      ...(instructions !== undefined && { instructions }),
    };
  }

  #keep(session: SessionState): void {
    this.restore(session);
    this.#options.observer?.onchange?.(session);
    this.#options.opened?.onchange?.(session);
  }
}

/** Accepts clients whose `clientInfo` is missing or invalid. */
function parseImplementation(value: unknown): Implementation {
  const { name, version, title } = asObject(value);
  return {
    name: typeof name === "string" ? name : "unknown",
    version: typeof version === "string" ? version : "unknown",
    ...(typeof title === "string" && { title }),
  };
}
