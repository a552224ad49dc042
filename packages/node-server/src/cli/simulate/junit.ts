import type { ScenarioReport, StepResult } from "@idewire/core/scenario";
import { failureLines } from "../../simulate/report-lines.ts";

/** The report as JUnit XML: a suite with a case for each step. */
export function formatJunit(report: ScenarioReport): string {
  const { name, ms, steps, failure } = report;
  const failures = steps.filter(({ outcome }) => outcome === "failed").length;
  const skipped = steps.filter(({ outcome }) => outcome === "not-reached").length;
  const counts = `tests="${steps.length}" failures="${failures}" skipped="${skipped}"`;
  const words =
    failure === undefined
      ? ""
      : failureLines(failure)
          .map(({ text }) => text)
          .join("\n");
  const cases = steps.map((step) => formatCase(step, name, words));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds(ms)}">`,
    `  <testsuite name="${escapeXml(name)}" ${counts} errors="0" time="${seconds(ms)}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function formatCase(
  { line, title, outcome, ms }: StepResult,
  suite: string,
  words: string,
): string {
  const name = escapeXml(`${line}: ${title}`);
  const head = `    <testcase classname="${escapeXml(suite)}" name="${name}" time="${seconds(ms)}"`;
  if (outcome === "met") return `${head}/>`;
  if (outcome === "not-reached") return `${head}><skipped/></testcase>`;
  const [first = ""] = words.trim().split("\n");
  const failure = `<failure message="${escapeXml(first.trim())}">${escapeXml(words)}</failure>`;
  return `${head}>${failure}</testcase>`;
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
