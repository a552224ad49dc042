import type { Implementation } from "../protocol.ts";
import type { LegacyRevision } from "../versions.ts";
import type { ServerFeature } from "./server-feature.ts";
import type { Tool } from "./tool.ts";

/** What a server is made with. */
export interface McpServerOptions<Context> {
  readonly info: Implementation;
  /** Reaches the agent's model. */
  readonly instructions?: string;
  readonly tools?: readonly Tool<Context>[];
  /** What it offers beside tools: resources, prompts, completions, logging. */
  readonly features?: readonly ServerFeature<Context>[];
  /** How many tools one page of `tools/list` has; all of them when left out. */
  readonly pageSize?: number;
  /**
   * How bad arguments are answered: as a tool result that the model reads, or as the JSON-RPC error
   * -32602. As the revision says when left out: a result in 2025-11-25, an error in earlier ones.
   */
  readonly argumentErrors?: "tool-result" | "invalid-params";
  /** The oldest revision to agree on; all legacy ones when left out. */
  readonly minimumRevision?: LegacyRevision | undefined;
}
