import { type CheckResult, checkGroups, groupOf } from "../check.ts";
import type { CheckReport } from "../run-checks.ts";

/** The report as JUnit XML: a case for each check; a broken should or may counts as skipped. */
export function formatCheckJunit({ results, ms }: CheckReport): string {
  const failures = results.filter(isFailure).length;
  const skipped = results.filter(
    (result) => !isFailure(result) && result.verdict !== "pass",
  ).length;
  const counts = `tests="${results.length}" failures="${failures}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds(ms)}">`,
    `  <testsuite name="idewire check" ${counts} errors="0" time="${seconds(ms)}">`,
    ...results.map(formatCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function isFailure({ verdict, level }: CheckResult): boolean {
  return verdict === "fail" && level === "must";
}

function formatCase(result: CheckResult): string {
  const { id, level, rule, verdict, detail, source, frames, ms } = result;
  const group = escapeXml(`idewire check.${checkGroups[groupOf(result)]}`);
  const name = escapeXml(`${id}: ${rule}`);
  const head = `    <testcase classname="${group}" name="${name}" time="${seconds(ms)}"`;
  if (verdict === "pass") return `${head}/>`;
  const message = escapeXml(detail);
  if (!isFailure(result)) {
    const why = verdict === "fail" ? `${level}: ${message}` : message;
    return `${head}><skipped message="${why}"/></testcase>`;
  }
  const body = `${message}\nFrom: ${escapeXml(source)}\nFrames: ${frames.join(", ") || "none"}`;
  return `${head}><failure message="${message}" type="${level}">${body}</failure></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** What XML 1.0 cannot hold, not even escaped. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
