import type { CheckContext } from "./context.ts";
import type { CheckFacts } from "./verdict.ts";

/** A rule, and how to check whether a server obeys it. */
export interface Check extends CheckFacts {
  /** Whether it also applies to agents over HTTP; other rules apply only to Claude Code's family. */
  readonly overHttp?: true;
  /**
   * Settles when the server obeys the rule; the result is a detail for the report.
   * @throws CheckFailed with the observation, CheckSkipped when the rule cannot be checked
   */
  readonly run: (context: CheckContext) => Promise<string | undefined> | Promise<void>;
}
