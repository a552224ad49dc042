import {
  type CheckFacts,
  type CheckGroup,
  type CheckResult,
  checkGroups,
  groupOf,
} from "../check.ts";
import { checks } from "../checks.ts";
import type { CheckReport } from "../run-checks.ts";
import { summariseChecks } from "./count.ts";

const SIGNS = { pass: "✅", fail: "❌", skipped: "➖" } as const;

/** The report as Markdown: what is broken first, then one row for each check. */
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

/** The page of all rules: `docs/checks.md`. */
export function formatCheckCatalogue(): string {
  return [
    "# What an editor has to do",
    "",
    "<!-- Generated from packages/core/src/checks: npm run reference. -->",
    "",
    "`idewire check` asks a live editor, as an agent that it meets, whether it keeps these rules. **must**:",
    "agents fail without it, or people are harmed. **should**: agents get by with less. **may**: a courtesy.",
    "Those with ⚠ show the person a diff, or close what is theirs: they run only with `--destructive`.",
    "",
    "```sh",
    "idewire check                         # the editor of this folder",
    "idewire check --junit report.xml      # a step of a build: ends with 1 when a must fails",
    "```",
    "",
    "The rules are those of Claude Code as it was measured, where that is known: seeds and specifications",
    "say more, and sometimes otherwise. An editor in the profile of a seed breaks some of them on purpose.",
    "",
    ...(Object.keys(checkGroups) as CheckGroup[]).flatMap(formatGroup),
  ].join("\n");
}

function formatGroup(group: CheckGroup): readonly string[] {
  const own = checks.filter((check) => groupOf(check) === group);
  const title = checkGroups[group];
  return [
    `## ${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    "",
    "| check | level | rule | from |",
    "| --- | --- | --- | --- |",
    ...own.map(formatRule),
    "",
  ];
}

function formatRule({ id, level, rule, note, source, destructive }: CheckFacts): string {
  const words =
    note === undefined ? escapeCell(rule) : `${escapeCell(rule)}<br>*${escapeCell(note)}*`;
  return `| ${id}${destructive ? " ⚠" : ""} | ${level} | ${words} | ${escapeCell(source)} |`;
}

/** What Markdown would take for its own, in the cell of a table. */
function escapeCell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, "\\$&").replace(/\s+/g, " ");
}
