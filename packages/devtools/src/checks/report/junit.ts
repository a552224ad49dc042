import { formatJunit, type JunitOutcome } from "../../junit.ts";
import type { CheckReport } from "../run-checks.ts";
import { type CheckResult, checkGroups, groupOf } from "../verdict.ts";

/** The report as JUnit XML: a case for each check; a broken should or may counts as skipped. */
export function formatCheckJunit({ results, ms }: CheckReport): string {
  const cases = results.map((result) => ({
    group: `idewire check.${checkGroups[groupOf(result)]}`,
    name: `${result.id}: ${result.rule}`,
    ms: result.ms,
    outcome: outcomeOf(result),
  }));
  return formatJunit({ name: "idewire check", ms, cases });
}

function outcomeOf({ verdict, level, detail, source, frames }: CheckResult): JunitOutcome {
  if (verdict === "pass") return { kind: "passed" };
  if (verdict !== "fail") return { kind: "skipped", message: detail };
  if (level !== "must") return { kind: "skipped", message: `${level}: ${detail}` };
  const body = `${detail}\nFrom: ${source}\nFrames: ${frames.join(", ") || "none"}`;
  return { kind: "failed", message: detail, type: level, body };
}
