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
  /** What the answer says. @throws IdewireError `protocol` for an answer of another shape */
  readonly parse: (answer: unknown) => T;
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
  /** What the revision supports; before `initialize`, what the newest legacy one does. */
  readonly traits: RevisionTraits;
  /** The capabilities that the client has announced; none before `initialize`. */
  readonly clientCapabilities: Capabilities;
  /** What `connect` was given: passed to every tool that the client calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated. */
  readonly principal: string | undefined;
  /** What the client may do, in the scopes of its authorization; undefined where nobody says so. */
  readonly scopes: readonly string[] | undefined;
  /** Called, before the answer, for a call that is refused since it needs these scopes. */
  onforbidden?(needed: readonly string[]): void;
  /** Whether the client takes requests and notifications: since `notifications/initialized`. */
  readonly initialized: boolean;
  /** The lowest level of the log messages that it is sent; undefined for none. */
  readonly logLevel: LogLevel | undefined;
  /** What the client has set: in the legacy era for its session, in the modern one for this request. */
  readonly settings: ClientSettings;
  /** Changes the settings; absent in the modern era, in which nothing is kept. */
  set?(settings: ClientSettings): void;
  /**
   * Asks the client.
   * @throws IdewireError `protocol` when it is not initialized: before that, it would take any request for
   * the answer to its own; `unreachable` when there is no way to ask it
   */
  ask<T>(question: Question<T>, options?: AskOptions): Promise<T>;
  /** Whether the handler has asked something that is answered with a later request. */
  readonly isAsking?: boolean;
  /** Whether progress goes beyond what earlier runs of the handler have reported; absent where it runs once. */
  isNewProgress?(progress: number): boolean;
  /** Keeps a value for later runs of the handler; absent where it runs once. */
  once?: (<T>(key: string, make: () => T | Promise<T>) => Promise<T>) | undefined;
  /**
   * Sends a notification.
   * @param about the client's request that it belongs to
   */
  notify(method: string, params?: Params, about?: RequestId): void;
  /**
   * Ends the stream that a request waits on; the client asks for the rest after `retryMs`. False, having done
   * nothing, where it cannot return; absent where no request has a stream of its own.
   */
  releaseStream?: ((about: RequestId, retryMs: number) => boolean) | undefined;
}

/** A tool that does not catch it answers with its text, as a failure for the model to read. */
export class MissingCapability extends IdewireError {
  constructor(what: string) {
    super("protocol", what);
  }
}

/** The error for what needs a capability that the client has not announced. */
export function missingCapability(
  { traits }: Caller,
  required: Capabilities,
  what: string,
): IdewireError | RpcError {
  if (!traits.stateless) return new MissingCapability(what);
  const data = { requiredCapabilities: required };
  return new RpcError(RpcErrorCode.MissingClientCapability, what, data);
}
