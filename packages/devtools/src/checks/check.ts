import type { CheckContext } from "./context.ts";
import type { CheckFacts } from "./verdict.ts";

/** A rule, and how to check whether a server keeps it. */
export interface Check extends CheckFacts {
  /**
   * Settles when the rule is kept; the result is a remark for the report.
   * @throws CheckFailed with what was seen instead, CheckSkipped when it cannot be determined
   */
  readonly run: (context: CheckContext) => Promise<string | undefined> | Promise<void>;
}
