import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { Peer } from "../../rpc/peer.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { Capabilities, Implementation, InitializeResult } from "../protocol.ts";
import type { SendRequestOver } from "./connection.ts";

/** The eras of MCP that a client speaks. */
export interface ClientEras {
  /** Revisions up to 2025-11-25, which start with `initialize`; true by default. */
  readonly legacy?: boolean;
  /** 2026-07-28: `modernClientEra()`; none by default. */
  readonly modern?: ModernClientEra;
}

/** The modern era of clients as a value, so that a bundle contains it only when it is in use. */
export interface ModernClientEra {
  /** Called once, by each client that the era is given to. */
  attach(client: ClientDefinition): ModernClient;
}

/** The results of one server that its clients may keep, as a value, so that a bundle contains it only when it is in use. */
export interface ResultCache {
  /** Called once, by each client that the cache is given to. */
  attach(): ClientCache;
}

/** The results that one client may use again. */
export interface ClientCache {
  /** The key of a request; undefined for one whose result is not kept. */
  keyOf(method: string, params?: Params): string | undefined;
  get(key: string): Params | undefined;
  /** Keeps a result, in place of an earlier one, for as long as it says, from now on. */
  set(key: string, result: Params): void;
  /** Forgets what a notification says has changed. */
  changed(method: string, params: Params | undefined): void;
}

/** What the modern era needs of its client. */
export interface ClientDefinition extends Redactor {
  readonly info: Implementation;
  /** What each request announces. */
  readonly capabilities: Capabilities;
  /** Further members of the `_meta` of each request. */
  readonly meta: ReadonlyMap<string, unknown>;
  /** Whether a server without the modern era can be spoken to. */
  readonly hasLegacy: boolean;
  /**
   * Sends a request in the era of the server that is there by then, which may be another one than before.
   * @param inModern sends it in the modern era
   */
  send(request: ClientRequest, inModern: SendRequestOver): Promise<unknown>;
  /** Asks the server again what it is; throws what leaves that open. */
  greetAnew(): Promise<void>;
  /** Lists the tools, as the client does. */
  listTools(options: RequestOptions): Promise<unknown>;
  /** Answers what a server asks in a result; undefined when no feature answers anything. */
  readonly answerAll: ((asking: Asking, questions: unknown) => Promise<Params>) | undefined;
  /** What a result of an extension's type leads to; undefined when no feature knows the type. */
  finish(type: string, result: Params, request: ClientRequest): Promise<unknown> | undefined;
}

/** A result that asks before it answers. */
export interface Asking {
  /** The method of the request that has it. */
  readonly method: string;
  readonly result: Params;
  /** Of the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Answers the questions of one round, by their keys. */
export type AnswerAll = (
  client: QuestionedClient,
  asking: Asking,
  questions: unknown,
) => Promise<Params>;

/** A client that answers what a server asks. */
export interface QuestionedClient extends Partial<Redactor> {
  /** Undefined when no feature does. */
  answer(call: Call): { readonly result: unknown } | undefined;
}

/** A request as its caller wants it. */
export interface ClientRequest {
  readonly method: string;
  readonly params?: Params | undefined;
  readonly options?: RequestOptions | undefined;
}

/** The modern era of one client. */
export interface ModernClient {
  /**
   * Asks what the server is, in the era that it speaks.
   * @param initialize asks it in the legacy one
   * @throws IdewireError `version-mismatch` when it speaks neither; whatever leaves the question open
   */
  greet(
    peer: Peer,
    initialize: () => Promise<InitializeResult>,
    request?: RequestOptions,
  ): Promise<InitializeResult>;
  /** Whether the question itself has ended the connection, so that a new one goes without it. */
  readonly hasUpset: boolean;
  /** Acts on a notification of the server, before its listeners. */
  notice(method: string, params: Params | undefined): void;
  /** Sends a request, and follows it to its end. */
  request(request: ClientRequest): Promise<unknown>;
}
