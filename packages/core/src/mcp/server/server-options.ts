import {
  optionNames,
  requireFunction,
  requireKnownOptions,
  requireOneOf,
  requireText,
} from "../../misuse.ts";
import type { Call } from "../../rpc/call.ts";
import type { Params } from "../../rpc/message.ts";
import type { CallToolResult } from "../content.ts";
import type { LogLevel } from "../logging.ts";
import type { GetPromptResult } from "../prompts.ts";
import { type Implementation, INFO_NAMES, type InitializeResult } from "../protocol.ts";
import type { LegacyRevision, Revision } from "../versions.ts";
import type { CacheHints } from "./cache-hints.ts";
import type { Tools } from "./features/tools.ts";
import type { NegotiatedParameters } from "./negotiated-parameters.ts";
import type { ServerCall } from "./server-call.ts";
import type { RequestSource } from "./server-connection.ts";
import type { FeatureHandler, ServerFeature } from "./server-feature.ts";
import type { McpStore } from "./store.ts";

/** The definition of a server: its name and version, and how it answers. */
export interface McpServerOptions<Context = unknown> extends Implementation {
  /** Passed on to the agent's model. */
  readonly instructions?: string;
  /** Extensions, such as `tasks()`. */
  readonly features?: readonly ServerFeature<Context>[];
  /**
   * Runs around each tool, resource and prompt, for logs and metrics; it returns the result of `next`. In the
   * modern era a handler that asks its client runs, and rejects, once for each round of questions.
   */
  readonly around?: Around<Context>;
  /**
   * The keys, of 32 random bytes each, that seal the state of handlers that ask their client in the modern era:
   * the first seals, all of them open. By default a random one, which lasts as long as the process; several
   * instances of a server must share theirs.
   */
  readonly stateKeys?: readonly Uint8Array[];
  /** How long a client may take to answer such a question, in milliseconds; 600,000 by default. */
  readonly stateTtlMs?: number;
  /** The eras to speak; both by default. */
  readonly eras?: "both" | "legacy" | "modern";
  /** How long clients of the modern era may cache lists; by default not at all. */
  readonly caching?: CacheHints;
  /** How many streams of `subscriptions/listen` there may be at once; 1000 by default, 0 for none. */
  readonly maxSubscriptions?: number;
  /** Whether legacy and modern clients may subscribe to resources; true by default. */
  readonly subscriptions?: boolean;
  /** How many entries a page of a list has; all of them by default. */
  readonly pageSize?: number;
  /**
   * How invalid arguments are answered: by a tool result for the model, or by the JSON-RPC error
   * -32602. By default as the revision requires: a result in 2025-11-25, an error in earlier ones.
   */
  readonly argumentErrors?: "tool-result" | "invalid-params";
  /**
   * The state that outlives a request, which the instances of a server share: sessions, the events that their
   * clients may have missed, published changes. In memory by default, for one instance.
   */
  readonly store?: McpStore;
  /**
   * How an unexpected error of a tool is answered: by a tool result with its message, the default, or by the
   * JSON-RPC error -32603 without details.
   */
  readonly toolErrors?: "tool-result" | "internal-error";
  /** The log level of legacy clients that have set none, `info` by default; without logging, `off`. */
  readonly logLevel?: LogLevel | "off";
  /** The oldest legacy revision to accept; all of them by default. */
  readonly minimumRevision?: LegacyRevision | undefined;
  /** Called with unexpected errors of handlers and of the store; `console.error` by default. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

const OPTIONS = optionNames<McpServerOptions>({
  ...INFO_NAMES,
  instructions: true,
  features: true,
  around: true,
  stateKeys: true,
  stateTtlMs: true,
  eras: true,
  caching: true,
  maxSubscriptions: true,
  subscriptions: true,
  pageSize: true,
  argumentErrors: true,
  toolErrors: true,
  logLevel: true,
  store: true,
  minimumRevision: true,
  onerror: true,
});

/** @throws IdewireError `invalid-argument` for an unknown option, or one that cannot be used */
export function requireServerOptions<Context>(options: McpServerOptions<Context>): void {
  const owner = "McpServer";
  requireKnownOptions(owner, options, OPTIONS);
  requireText(`${owner}, name`, options.name);
  requireText(`${owner}, version`, options.version);
  requireOneOf(`${owner}, eras`, options.eras, ["both", "legacy", "modern"]);
  for (const name of ["around", "onerror"] as const) {
    if (options[name] !== undefined) requireFunction(`${owner}, ${name}`, options[name]);
  }
}

/** Runs around a handler. (Written as a method, so that one that needs no context suits every server.) */
export type Around<Context = unknown> = {
  around(call: ServerCall<Context>, next: () => Promise<HandlerResult>): Promise<HandlerResult>;
}["around"];

/** The result of a tool, prompt or resource. */
export type HandlerResult = CallToolResult | GetPromptResult | { readonly contents: unknown };

/** The members of a server that its connections use. */
export interface ServerDefinition<Context> {
  readonly options: McpServerOptions<Context>;
  readonly features: readonly ServerFeature<Context>[];
  readonly negotiated: NegotiatedParameters;
  describe(revision: Revision): Pick<InitializeResult, "capabilities" | "serverInfo">;
  readonly tools: Pick<Tools<Context>, "get" | "hasVisibility" | "list">;
  /** Undefined when the server speaks the legacy era only. */
  readonly modern: ModernServer<Context> | undefined;
  handlerOf(call: Call): FeatureHandler<Context> | undefined;
  /** Runs a handler of the author. */
  run<Result>(call: ServerCall<Context>, handler: () => Result): Result | Promise<Awaited<Result>>;
  /** Reports an unexpected error to the author. */
  readonly reportError: (error: unknown) => void;
}

/** The modern era of one server. */
export interface ModernServer<Context> {
  /** Whether a message is of the modern era. */
  owns(call: Call): boolean;
  /** Answers a message of the modern era, or refuses it in the terms of that era. */
  handle(call: Call, source: RequestSource<Context>): unknown;
  /** Sends a notification to its subscribers. */
  changed(method: string, params: Params | undefined): void;
  /** Whether a change has a subscriber. */
  hasListeners(method: string, params: Params | undefined): boolean;
  /** Ends all streams of `subscriptions/listen` gracefully. */
  endSubscriptions(): void;
}
