import { formatSarif, type SarifLevel } from "../../sarif.ts";
import type { CheckReport } from "../run-checks.ts";
import type { CheckLevel } from "../verdict.ts";

const LEVELS: Readonly<Record<CheckLevel, SarifLevel>> = {
  must: "error",
  should: "warning",
  may: "note",
};

/** The program that ran the checks. */
export interface SarifTool {
  readonly version: string;
}

/** The report as SARIF 2.1.0, as code hosts show it: a rule for each check of the run, a result for each broken one. */
export function formatCheckSarif({ results }: CheckReport, { version }: SarifTool): string {
  const broken = results.filter(({ verdict }) => verdict === "fail");
  return formatSarif({
    tool: { name: "idewire check", version },
    rules: results.map(({ id, rule, source, level, note }) => ({
      id,
      text: rule,
      explanation: [rule, `From: ${source}.`, note ?? ""].join(" ").trim(),
      level: LEVELS[level],
    })),
    results: broken.map(({ id, level, rule, detail, frames }) => ({
      ruleId: id,
      level: LEVELS[level],
      text: `${rule} Seen: ${detail}.`,
      place: { name: id, kind: "rule" },
      fingerprint: id,
      properties: { frames },
    })),
  });
}
