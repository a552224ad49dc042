import type { CheckReport } from "../run-checks.ts";
import type { CheckResult } from "../verdict.ts";
import { summariseChecks } from "./count.ts";

const SIGNS = { pass: "✅", fail: "❌", skipped: "➖" } as const;

/** The report as Markdown: broken rules first, then one row for each check. */
export function formatCheckMarkdown(report: CheckReport): string {
  const { results, ok } = report;
  const broken = results.filter(({ verdict }) => verdict === "fail");
  return [
    `# ${ok ? "✅" : "❌"} idewire check: ${summariseChecks(report)}`,
    "",
    ...broken.flatMap(({ id, level, rule, detail, source }) => [
      `- **${id}** (${level}): ${escapeCell(rule)} ${escapeCell(`Seen: ${detail}`)} (${escapeCell(source)})`,
    ]),
    ...(broken.length > 0 ? [""] : []),
    "|  | check | level | rule | seen |",
    "| --- | --- | --- | --- | --- |",
    ...results.map(formatRow),
    "",
  ].join("\n");
}

function formatRow({ verdict, id, level, rule, detail }: CheckResult): string {
  return `| ${SIGNS[verdict]} | ${id} | ${level} | ${escapeCell(rule)} | ${escapeCell(detail)} |`;
}

/** Characters with a meaning in a cell of a Markdown table. */
function escapeCell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, "\\$&").replace(/\s+/g, " ");
}
