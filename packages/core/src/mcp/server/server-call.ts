import type { RpcError } from "../../errors.ts";
import type { Call, Progress } from "../../rpc/call.ts";
import { asObject, type Params } from "../../rpc/message.ts";
import type { UrlElicitation, UrlOutcome } from "../elicitation.ts";
import type { LogLevel } from "../logging.ts";
import { TRACEPARENT } from "../modern-keys.ts";
import type { Root } from "../roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../sampling.ts";
import type { InferOutput, InputSchema } from "../schemas/infer.ts";
import type { Revision } from "../versions.ts";
import type { AskOptions, Caller } from "./caller.ts";
import { type ClientAbility, isAble } from "./client-features/ability.ts";
import {
  completeElicitation,
  type ElicitOutcome,
  elicit,
  elicitUrl,
  urlElicitationRequired,
} from "./client-features/elicitation.ts";
import { listRoots } from "./client-features/roots.ts";
import { createMessage } from "./client-features/sampling.ts";
import { sendLog } from "./send-log.ts";

/**
 * One call of a tool, resource or prompt, as its handler sees it, in either era. In the modern era a handler that
 * asks its client runs again from its start with the answers: its questions, its progress and its values of {@link
 * ServerCall.once} are then the same.
 */
export class ServerCall<Context = unknown> {
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource; empty for a list. */
  readonly name: string;
  /** For the sibling packages. */
  readonly caller: Caller<Context>;
  /** For the sibling packages: the JSON-RPC call. */
  readonly message: Call;
  readonly #startMs: number = Date.now();
  /** The values of {@link ServerCall.once} of a handler that runs once. */
  #values: Map<string, Promise<unknown>> | undefined;

  /** For the server. */
  constructor(message: Call, caller: Caller<Context>, name: string) {
    this.method = message.method;
    this.name = name;
    this.message = message;
    this.caller = caller;
  }

  /** The context of the connection, or of the HTTP request as `authorize` returned it. */
  get context(): Context {
    return this.caller.context;
  }

  /** Who the client is, as far as it has been authenticated. */
  get principal(): string | undefined {
    return this.caller.principal;
  }

  /** The client's revision of MCP; before `initialize`, the newest legacy one. */
  get revision(): Revision {
    return this.caller.traits.revision;
  }

  /** Aborted when the client cancels the call or disconnects, and when its task is cancelled. */
  get signal(): AbortSignal {
    return this.message.signal;
  }

  /** Whether the client has cancelled or disconnected; it costs less than the signal. */
  get aborted(): boolean {
    return this.message.aborted;
  }

  /** The `_meta` of the request, until the handler yields. */
  get meta(): Params {
    return asObject(this.message.params?.["_meta"]);
  }

  /** The caller's trace context (W3C Trace Context), if it has sent one. */
  get traceparent(): string | undefined {
    const value = this.meta[TRACEPARENT];
    return typeof value === "string" ? value : undefined;
  }

  /** How long the call has run, in milliseconds. */
  get durationMs(): number {
    return Date.now() - this.#startMs;
  }

  /** Reports progress, if the client has asked for it; progress of an earlier run is not repeated. */
  progress(progress: Progress): void {
    if (this.caller.isNewProgress?.(progress.progress) !== false) this.message.progress(progress);
  }

  /** Sends the client a log message, if its level includes the message. It must contain no secrets. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    const message = { level, data, ...(logger !== undefined && { logger }) };
    sendLog(this.caller, message, this.message.id);
  }

  /** Sends the client any other notification about this call. */
  notify(method: string, params?: Params): void {
    this.message.notify(method, params);
  }

  /** Whether the client and its revision can be asked for something. */
  can(ability: ClientAbility): boolean {
    return isAble(this.caller, ability);
  }

  /**
   * Asks the person by a form, which must not ask for secrets: a schema of an object whose members are
   * strings, numbers, booleans and enumerations. By default there is no time-out; the question is cancelled
   * with the call.
   * @throws IdewireError `protocol`, before anything is sent, when the client does not support forms (RpcError
   * -32021 in the modern era); and for an answer that does not match; `invalid-argument` for a form that
   * the revision does not support
   */
  ask<const Form extends InputSchema>(
    message: string,
    form: Form,
    options?: AskOptions,
  ): Promise<ElicitOutcome<InferOutput<Form>>> {
    return elicit(this, message, form, options);
  }

  /**
   * Asks the person to visit a URL; since 2025-11-25, in which {@link ServerCall.urlVisited} reports that they are
   * done.
   * @throws IdewireError `protocol`, before anything is sent, when the client does not support URLs (RpcError
   * -32021 in the modern era); `invalid-argument` for a URL that is not http(s)
   */
  askUrl(elicitation: UrlElicitation, options?: AskOptions): Promise<UrlOutcome> {
    return elicitUrl(this, elicitation, options);
  }

  /** Notifies the client that the person has finished at a URL, where URLs have ids. */
  urlVisited(elicitationId: string): void {
    completeElicitation(this.caller, elicitationId);
  }

  /**
   * The error -32042 of 2025-11-25, to throw when the person has to visit some URLs first; the client then
   * repeats the request. {@link ServerCall.askUrl} does for 2026-07-28 as well.
   * @throws IdewireError `protocol` when the client or its revision does not support that
   */
  urlsRequired(elicitations: readonly [UrlElicitation, ...UrlElicitation[]]): RpcError {
    return urlElicitationRequired(this.caller, elicitations);
  }

  /**
   * Requests a message from the client's model; the person may have to agree first.
   * @throws IdewireError `protocol`, before anything is sent, when the client or the revision does not
   * support the request (RpcError -32021 in the modern era, for a missing capability); and for an answer
   * that is not a message
   * @throws RpcError -1 when the person refuses
   */
  sample(params: CreateMessageParams, options?: AskOptions): Promise<CreateMessageResult> {
    return createMessage(this, params, options);
  }

  /**
   * The folders that the client works in.
   * @throws IdewireError `protocol`, before anything is sent, when it has not announced the capability
   * (RpcError -32021 in the modern era); and for an answer that is not a list of file: URIs
   */
  roots(options?: AskOptions): Promise<readonly Root[]> {
    return listRoots(this, options);
  }

  /**
   * A value that is created once and reused when the handler runs again: an id, a random choice. In the modern era
   * it is sent, sealed, through the client, so it must be a JSON value, and is created again if the client repeats
   * an earlier request: act after the last question, with an idempotency key.
   * @param key names the value among those of the call
   */
  async once<T>(key: string, make: () => T | Promise<T>): Promise<T> {
    const { once } = this.caller;
    if (once !== undefined) return once(key, make);
    this.#values ??= new Map();
    const value = this.#values.get(key) ?? Promise.resolve(make());
    this.#values.set(key, value);
    return value as Promise<T>;
  }
}
