import type { CheckContext } from "./context.ts";
import type { CheckFacts } from "./verdict.ts";

/** One rule, and how a server is asked whether it keeps it. */
export interface Check extends CheckFacts {
  /**
   * Ends when the rule is kept; what it gives back is a remark.
   * @throws CheckFailed with what was seen instead, CheckSkipped when it cannot be told
   */
  run(context: CheckContext): Promise<string | undefined> | Promise<void>;
}
