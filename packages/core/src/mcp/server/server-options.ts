import type { Implementation } from "../protocol.ts";
import type { LegacyRevision } from "../versions.ts";
import type { ServerFeature } from "./server-feature.ts";
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
  /** The oldest revision to accept; all legacy ones by default. */
  readonly minimumRevision?: LegacyRevision | undefined;
}
