import type { CheckContext } from "./context.ts";
import type { CheckedTransport } from "./port.ts";
import type { CheckFacts } from "./verdict.ts";

/** A rule, and how to check whether a server obeys it. */
export interface Check extends CheckFacts {
  /** Whether it also applies to agents over HTTP; other rules apply only to Claude Code's family. */
  readonly overHttp?: true;
  /** The only transport of an MCP server that it applies to. */
  readonly over?: CheckedTransport;
  /** The only era of MCP that it applies to. */
  readonly era?: "legacy" | "modern";
  /** The first revision of MCP that it applies to. */
  readonly since?: string;
  /**
   * Settles when the server obeys the rule; the result is a detail for the report.
   * @throws CheckFailed with the observation, CheckSkipped when the rule cannot be checked
   */
  readonly run: (context: CheckContext) => Promise<string | undefined> | Promise<void>;
}
