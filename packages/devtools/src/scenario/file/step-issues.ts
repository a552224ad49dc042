import type { Range } from "@idewire/core";
import { describeValue } from "@idewire/core/internal";
import { parseFaultPlan } from "../../trace/faults/fault.ts";
import { findPatternFault } from "../pattern/pattern.ts";
import type { ActionOf, ScenarioActions, ScenarioExpectations, ScenarioStep } from "./model.ts";

/** The issue of a step whose members are each valid; undefined when there is none. */
export function findStepIssue(step: ScenarioStep): string | undefined {
  if ("expect" in step) return findExpectationFault(step);
  if ("agent" in step) return undefined;
  switch (step.do) {
    case "select":
      return "from" in step.range ? undefined : findRangeFault("range", step.range);
    case "diagnostics":
      return step.diagnostics
        .map(({ range }, index) => findRangeFault(`diagnostics.${index}.range`, range))
        .find((fault) => fault !== undefined);
    case "mention":
      return findLinesFault(step);
    case "diff":
      return findDiffFault(step);
    case "answerTool":
      return findAnswerFault(step);
    case "faults":
      return findPlanFault(step.plan);
    default:
      return undefined;
  }
}

function findExpectationFault(
  step: ScenarioExpectations[keyof ScenarioExpectations],
): string | undefined {
  switch (step.expect) {
    case "file":
      return findFileFault(step);
    case "initialized":
      return patternFault("agent", step.agent);
    case "no-call":
      return patternFault("arguments", step.arguments);
    case "call":
      return patternFault("arguments", step.arguments) ?? pointersFault(step.at);
    case "request":
    case "notification":
      return patternFault("params", step.params) ?? pointersFault(step.at);
    default:
      return undefined;
  }
}

function patternFault(member: string, pattern: unknown): string | undefined {
  const expected = findPatternFault(pattern);
  return expected && `${member}: expected ${expected}, got ${describeValue(pattern)}`;
}

function pointersFault(pointers: Readonly<Record<string, unknown>> = {}): string | undefined {
  return Object.entries(pointers)
    .map(([pointer, pattern]) => patternFault(`at.${pointer}`, pattern))
    .find((fault) => fault !== undefined);
}

function findRangeFault(where: string, { start, end }: Range): string | undefined {
  const isOrdered =
    end.line > start.line || (end.line === start.line && end.character >= start.character);
  if (isOrdered) return undefined;
  const from = `${start.line}:${start.character}`;
  return `${where}.end: expected ${from} or later, got ${end.line}:${end.character}`;
}

function findLinesFault({ lines }: ActionOf<"mention">): string | undefined {
  if (lines === undefined || lines.end >= lines.start) return undefined;
  return `lines.end: expected ${lines.start} (start) or more, got ${lines.end}`;
}

function findDiffFault({
  answer,
  text,
  suffix,
  comments,
}: ScenarioActions["diff"]): string | undefined {
  if (comments !== undefined && answer !== "reject") return `${answer}: expected no comments`;
  const edits = [text, suffix].filter((edit) => edit !== undefined).length;
  if (answer === "accept-edited") {
    return edits === 1 ? undefined : `accept-edited: expected either text or suffix, got ${edits}`;
  }
  return edits === 0 ? undefined : `${answer}: expected no text and no suffix`;
}

function findAnswerFault({
  error,
  failure,
  afterMs,
}: ScenarioActions["answerTool"]): string | undefined {
  if (error !== undefined && failure !== undefined) {
    return "answerTool: expected either error or failure, got both";
  }
  const isEmpty = error === undefined && failure === undefined && afterMs === undefined;
  return isEmpty ? "answerTool: expected error, failure or afterMs, got none" : undefined;
}

function findPlanFault(plan: ScenarioActions["faults"]["plan"]): string | undefined {
  const result = plan === null ? undefined : parseFaultPlan(plan);
  return result?.ok === false ? `plan: ${result.issue}` : undefined;
}

function findFileFault({ text, like, exists }: ScenarioExpectations["file"]): string | undefined {
  const given = [text, like, exists].filter((member) => member !== undefined).length;
  return given === 1 ? undefined : `file: expected one of text, like and exists, got ${given}`;
}
