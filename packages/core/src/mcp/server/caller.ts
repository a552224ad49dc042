import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import { Call } from "../../rpc/call.ts";
import type { Params, RequestId } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { LogLevel } from "../logging.ts";
import type { Capabilities } from "../protocol.ts";
import type { Revision, RevisionTraits } from "../versions.ts";

/** A request to a client. */
export interface Question<T> {
  readonly method: string;
  readonly params?: Params;
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

/** What a client wants to hear. */
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
  /** Whether the client takes requests and notifications: since `notifications/initialized`. */
  readonly initialized: boolean;
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

/** A client, or a call of its that is in progress. */
export type ClientOf<Context = unknown> = Caller<Context> | Call;

/**
 * The caller of a call.
 * @throws IdewireError `invalid-argument` for a call that was not received by an `McpServer`
 */
export function callerOf(client: ClientOf): Caller {
  const caller = client instanceof Call ? client.owner : client;
  if (typeof (caller as Partial<Caller> | undefined)?.ask === "function") return caller as Caller;
  throw new IdewireError(
    "invalid-argument",
    `${client.constructor.name}: not of a client of an McpServer`,
  );
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
