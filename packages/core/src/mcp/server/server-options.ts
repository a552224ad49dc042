import type { Call } from "../../rpc/call.ts";
import type { Params, SerializedJson } from "../../rpc/message.ts";
import type { Implementation, InitializeResult } from "../protocol.ts";
import type { LegacyRevision, Revision } from "../versions.ts";
import type { NegotiatedParameters } from "./negotiated-parameters.ts";
import type { RequestSource } from "./server-connection.ts";
import type { FeatureHandler, ServerFeature } from "./server-feature.ts";
import type { McpStore } from "./store.ts";
import type { Tool } from "./tool.ts";

/** The definition of a server. */
export interface McpServerOptions<Context> {
  readonly info: Implementation;
  /** Passed on to the agent's model. */
  readonly instructions?: string;
  readonly tools?: readonly Tool<Context>[];
  /** Resources, prompts, completion and logging. */
  readonly features?: readonly ServerFeature<Context>[];
  /** How many tools a page of `tools/list` has; all of them by default. */
  readonly pageSize?: number;
  /**
   * How invalid arguments are answered: by a tool result for the model, or by the JSON-RPC error
   * -32602. By default as the revision requires: a result in 2025-11-25, an error in earlier ones.
   */
  readonly argumentErrors?: "tool-result" | "invalid-params";
  /** The eras to speak; the legacy one by default. */
  readonly eras?: Eras;
  /**
   * What outlives a request, which the instances of a server share: sessions, the events that their clients may
   * have missed, changes that are told. In memory by default, for one instance.
   */
  readonly store?: McpStore;
  /** Called with what goes wrong at the store while nobody waits for it. */
  readonly onerror?: (error: Error) => void;
  /** The oldest legacy revision to accept; all of them by default. */
  readonly minimumRevision?: LegacyRevision | undefined;
}

/** What a connection needs of the server that it belongs to. */
export interface ServerDefinition<Context> {
  readonly options: McpServerOptions<Context>;
  readonly negotiated: NegotiatedParameters;
  describe(revision: Revision): Pick<InitializeResult, "capabilities" | "serverInfo">;
  tool(name: string): Tool<Context> | undefined;
  /** Undefined when the server speaks the legacy era only. */
  readonly modern: ModernServer<Context> | undefined;
  /** @param finish adds what every result of the revision has */
  toolList(revision: Revision, cursor: unknown, finish?: (list: object) => unknown): SerializedJson;
  handlerOf(call: Call): FeatureHandler<Context> | undefined;
}

/** The modern era as a value, so that a bundle contains it only when it is in use. */
export interface ModernEra {
  /** Called once, by each server that the era is given to. */
  attach<Context>(server: ServerDefinition<Context>): ModernServer<Context>;
}

/** The modern era of one server. */
export interface ModernServer<Context> {
  /** Whether a message is of the modern era. */
  owns(call: Call): boolean;
  /** Answers a message of the modern era, or refuses it in its words. */
  handle(call: Call, source: RequestSource<Context>): unknown;
  /** A notification for those that listen for it. */
  changed(method: string, params: Params | undefined): void;
  /** Whether one of them is told of a change. */
  isHeard(method: string, params: Params | undefined): boolean;
  /** Ends all streams of `subscriptions/listen` gracefully. */
  endSubscriptions(): void;
}

/** The eras of MCP that a server speaks. */
export interface Eras {
  /** Revisions up to 2025-11-25, which start with `initialize`; true by default. */
  readonly legacy?: boolean;
  /** 2026-07-28: `modernEra()`; none by default. */
  readonly modern?: ModernEra;
}
