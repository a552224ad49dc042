import type { CheckContext } from "./context.ts";
import type { CheckFacts } from "./verdict.ts";

/** A rule, and how to check whether a server obeys it. */
export interface Check extends CheckFacts {
  /** It holds for agents that speak over HTTP, too; any other is of the family of Claude Code alone. */
  readonly overHttp?: true;
  /**
   * Settles when the server obeys the rule; the result is a detail for the report.
   * @throws CheckFailed with the observation, CheckSkipped when the rule cannot be checked
   */
  readonly run: (context: CheckContext) => Promise<string | undefined> | Promise<void>;
}
