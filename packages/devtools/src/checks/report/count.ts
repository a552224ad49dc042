import type { CheckReport } from "../run-checks.ts";

/** How many results there are of each kind. */
export interface CheckCounts {
  readonly pass: number;
  readonly skipped: number;
  /** Broken rules, by level. */
  readonly must: number;
  readonly should: number;
  readonly may: number;
}

function countChecks({ results }: Pick<CheckReport, "results">): CheckCounts {
  const counts = { pass: 0, skipped: 0, must: 0, should: 0, may: 0 };
  for (const { verdict, level } of results) counts[verdict === "fail" ? level : verdict] += 1;
  return counts;
}

/** `61 passed, 1 must failed, 2 skipped` */
export function summariseChecks(report: Pick<CheckReport, "results">): string {
  const { pass, skipped, must, should, may } = countChecks(report);
  const broken = Object.entries({ must, should, may }).filter(([, count]) => count > 0);
  const words = broken.map(([level, count]) => `${count} ${level} failed`);
  const passed = pass > 0 || broken.length + skipped === 0 ? [`${pass} passed`] : [];
  return [...passed, ...words, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(", ");
}
