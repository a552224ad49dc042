import { checks } from "../checks.ts";
import type { CheckReport } from "../run-checks.ts";
import type { CheckLevel } from "../verdict.ts";

const LEVELS: Readonly<Record<CheckLevel, string>> = {
  must: "error",
  should: "warning",
  may: "note",
};

/** The program that ran the checks. */
export interface SarifTool {
  readonly version: string;
}

/** The report as SARIF 2.1.0, as code hosts show it: a rule for each check, a result for each broken one. */
export function formatCheckSarif({ results }: CheckReport, { version }: SarifTool): string {
  const rules = checks.map(({ id, rule, source, level, note }) => ({
    id,
    shortDescription: { text: rule },
    fullDescription: { text: [rule, `From: ${source}.`, note ?? ""].join(" ").trim() },
    defaultConfiguration: { level: LEVELS[level] },
  }));
  const broken = results.filter(({ verdict }) => verdict === "fail");
  const driver = { name: "idewire check", version, rules };
  const sarif = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        results: broken.map(({ id, level, rule, detail, frames }) => ({
          ruleId: id,
          ruleIndex: rules.findIndex((known) => known.id === id),
          level: LEVELS[level],
          message: { text: `${rule} Seen: ${detail}.` },
          locations: [{ logicalLocations: [{ name: id, kind: "rule" }] }],
          partialFingerprints: { "idewireCheck/v1": id },
          properties: { frames },
        })),
      },
    ],
  };
  return `${JSON.stringify(sarif, undefined, 2)}\n`;
}
