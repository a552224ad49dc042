import { isObject } from "@idewire/core/internal";
import { describeEvent, type Mismatch, type SeenFrame } from "@idewire/devtools/internal";
import type { ScenarioFailure, ScenarioReport, StepResult } from "@idewire/devtools/scenario";
import { diffLines } from "diff/lib/diff/line.js";
import { exactJson } from "../../output/exact-json.ts";

/** A line of a report, and its kind. */
export interface ReportLine {
  readonly kind: "good" | "bad" | "dim" | "plain" | "expected" | "seen";
  readonly text: string;
}

/** Longer lines are cut. */
const MAX_LINE = 160;

/** How many lines of a difference are shown. */
const MAX_DIFF_LINES = 40;

/** Texts with more changes than this are not compared to the end. */
const MAX_EDITS = 2_000;

/** A whole report as plain text. */
export function formatReport(report: ScenarioReport): string {
  const reached = report.steps.filter(({ outcome }) => outcome !== "not-reached");
  return [...reached.map(stepLine), ...endingLines(report)].map(({ text }) => text).join("\n");
}

/** The lines after the reached steps. */
export function endingLines(report: ScenarioReport): readonly ReportLine[] {
  const { failure, outcome, steps } = report;
  const left = steps.filter((step) => step.outcome === "not-reached");
  return [
    ...(failure === undefined ? [] : failureLines(failure)),
    ...(outcome === "met" ? [] : left.map(stepLine)),
    closingLine(report),
  ];
}

/** A finished step, or one that was not reached. */
export function stepLine({ line, title, outcome, ms }: StepResult): ReportLine {
  const mark = { met: "✓", failed: "✗", "not-reached": "·" }[outcome];
  const kind = ({ met: "good", failed: "bad", "not-reached": "dim" } as const)[outcome];
  const time = outcome === "not-reached" || ms < 100 ? "" : `  ${duration(ms)}`;
  return { kind, text: cut(`  ${mark} ${String(line).padStart(3)}  ${title}${time}`) };
}

/** The failure: what was expected and seen, and the surrounding frames. */
export function failureLines(failure: ScenarioFailure): readonly ReportLine[] {
  const { message, closest, mismatches, frames } = failure;
  const indent = " ".repeat(9);
  return [
    { kind: "plain", text: `${indent}${message}` },
    ...(closest === undefined || mismatches.length === 0
      ? []
      : [{ kind: "plain", text: `${indent}the closest: ${describeEvent(closest)}` } as const]),
    ...mismatches.slice(0, 5).flatMap(mismatchLines).map(indented(indent)),
    ...(frames.length === 0 ? [] : [{ kind: "dim", text: `${indent}frames around it:` } as const]),
    ...frames.map(frameLine).map(indented(`${indent}  `)),
  ];
}

/** The outcome in one line. */
function closingLine({ outcome, steps, ms }: ScenarioReport): ReportLine {
  const met = steps.filter((step) => step.outcome === "met").length;
  const words = {
    met: `all ${steps.length} steps met`,
    unmet: `failed: ${met} of ${steps.length} steps met`,
    fault: `the script cannot be played: ${met} of ${steps.length} steps done`,
    "no-agent": "no agent connected",
    stopped: `stopped: ${met} of ${steps.length} steps met`,
  }[outcome];
  return { kind: outcome === "met" ? "good" : "bad", text: `${words}, ${duration(ms)}` };
}

function mismatchLines({ at, expected, seen }: Mismatch): readonly ReportLine[] {
  const where: readonly ReportLine[] = at === "" ? [] : [{ kind: "plain", text: `at ${at}` }];
  const [left, right] = [textIn(expected), textIn(seen)];
  if (left?.includes("\n") && right !== undefined) return [...where, ...textLines(left, right)];
  return [
    ...where,
    { kind: "expected", text: `- expected ${expected}` },
    { kind: "seen", text: `+ seen     ${seen}` },
  ];
}

/** The text of a complete JSON string. */
function textIn(json: string): string | undefined {
  if (!json.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function textLines(expected: string, seen: string): readonly ReportLine[] {
  const parts = diffLines(expected, seen, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [{ kind: "plain", text: "(the texts have little in common)" }];
  const lines = parts.flatMap(({ value, added, removed }) => {
    const kind = removed ? "expected" : added ? "seen" : "plain";
    const mark = removed ? "-" : added ? "+" : " ";
    const texts = value.replace(/\n$/, "").split("\n");
    return texts.map((text): ReportLine => ({ kind, text: `${mark} ${text}` }));
  });
  const head: ReportLine = { kind: "dim", text: "- expected  + seen" };
  const rest = lines.length - MAX_DIFF_LINES;
  const tail: readonly ReportLine[] =
    rest > 0 ? [{ kind: "dim", text: `… ${rest} more lines` }] : [];
  return [head, ...lines.slice(0, MAX_DIFF_LINES), ...tail];
}

function frameLine({ t, dir, raw }: SeenFrame): ReportLine {
  const way = dir.replace(">", " > ");
  return { kind: "dim", text: `${(t / 1000).toFixed(3).padStart(8)}  ${way}  ${brief(raw)}` };
}

/** A frame without `jsonrpc` and without escapes. */
function brief(raw: string): string {
  let message: unknown;
  try {
    message = exactJson.parse(raw);
  } catch {
    return raw;
  }
  if (!isObject(message)) return raw;
  const { id, method, params, result, error } = message;
  const number = id === undefined ? "" : `#${exactJson.stringify(id)} `;
  const rest = params ?? result ?? error;
  const what = typeof method === "string" ? method : error === undefined ? "result" : "error";
  return `${number}${what}${rest === undefined ? "" : ` ${exactJson.stringify(rest)}`}`;
}

function indented(indent: string): (line: ReportLine) => ReportLine {
  return ({ kind, text }) => ({ kind, text: cut(`${indent}${text}`) });
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function cut(text: string): string {
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
}
