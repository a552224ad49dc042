import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import type { Params, RequestId } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { LogLevel } from "../logging.ts";
import type { Capabilities } from "../protocol.ts";
import type { Revision, RevisionTraits } from "../versions.ts";

/** A request to a client. */
export interface Question<T> {
  readonly method: string;
  readonly params?: Params;
  /** Loads what `parse` needs; undefined once that is done. Absent where nothing has to be loaded. */
  load?(this: void): Promise<void> | undefined;
  /** Parses the answer. @throws IdewireError `protocol` for an answer of another shape */
  readonly parse: (answer: unknown) => T;
}

/** The target of a request. */
export interface RequestTarget {
  readonly method: string;
  readonly name?: string | undefined;
  /** The required scopes. */
  readonly scopes?: readonly string[] | undefined;
}

/** Options of one question to a client. */
export interface AskOptions extends RequestOptions {
  /**
   * Names the question among those of its call, in the modern era, in which a handler runs again with the
   * answers; by default they are numbered in the order in which they are asked.
   */
  readonly key?: string;
}

/** The messages and changes that a client has asked for. */
export interface ClientSettings {
  /** The lowest severity of log messages; undefined when the client has named none. */
  readonly logLevel?: LogLevel;
  /** The URIs of the resources that it has subscribed to by `resources/subscribe`. */
  readonly subscriptions?: readonly string[];
}

/**
 * A client as tools and features see it, in either era: in the legacy one it stands for a connection, in
 * the modern one for a single request.
 */
export interface Caller<Context = unknown> {
  /** Undefined before `initialize`. */
  readonly revision: Revision | undefined;
  /** The traits of the revision; before `initialize`, of the newest legacy one. */
  readonly traits: RevisionTraits;
  /** The capabilities that the client has announced; none before `initialize`. */
  readonly clientCapabilities: Capabilities;
  /** The context given to `connect`, which is passed to every tool that the client calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated. */
  readonly principal: string | undefined;
  /** The scopes of the client's authorization; undefined if none are known. */
  readonly scopes: readonly string[] | undefined;
  /** Called, before the answer, when a call is refused because it requires these scopes. */
  onforbidden?(needed: readonly string[]): void;
  /** Whether the client may not send a request whose outcome it asks for; absent in the legacy era, without tasks. */
  refuses?(request: RequestTarget): boolean | undefined;
  /** Whether the client accepts requests and notifications: since `notifications/initialized`. */
  readonly initialized: boolean;
  /** The lowest level of the log messages that it is sent; undefined for none. */
  readonly logLevel: LogLevel | undefined;
  /** The client's settings: in the legacy era for its session, in the modern one for this request. */
  readonly settings: ClientSettings;
  /** Changes the settings; absent in the modern era, in which nothing is kept. */
  set?(settings: ClientSettings): void;
  /**
   * Asks the client.
   * @throws IdewireError `protocol` when it is not initialized: it would take any request for the answer to its
   * own; `unreachable` when it cannot be asked
   */
  ask<T>(question: Question<T>, options?: AskOptions): Promise<T>;
  /** Whether the handler has asked a question that is answered with a later request. */
  readonly isAsking?: boolean;
  /** Whether progress goes beyond what earlier runs of the handler have reported; absent where it runs once. */
  isNewProgress?(progress: number): boolean;
  /** Stores a value for later runs of the handler; absent where it runs once. */
  once?: (<T>(key: string, make: () => T | Promise<T>) => Promise<T>) | undefined;
  /**
   * Sends a notification.
   * @param about the client's request that it belongs to
   */
  notify(method: string, params?: Params, about?: RequestId): void;
  /**
   * Ends the stream of a request; the client returns for the rest after `retryMs`. False, having done nothing, if
   * it cannot return; absent where no request has a stream of its own.
   */
  releaseStream?: ((about: RequestId, retryMs: number) => boolean) | undefined;
}

/** If a tool does not catch it, its message becomes a failure for the model to read. */
export class MissingCapability extends IdewireError {
  constructor(what: string) {
    super("protocol", what);
  }
}

/** The error for a request that requires a capability which the client has not announced. */
export function missingCapability(
  { traits }: Caller,
  required: Capabilities,
  what: string,
): IdewireError | RpcError {
  if (!traits.stateless) return new MissingCapability(what);
  const data = { requiredCapabilities: required };
  return new RpcError(RpcErrorCode.MissingClientCapability, what, data);
}
