import { describeValue } from "@idewire/core/internal";
import type { SeenEvent } from "../editor/seen.ts";
import type { ActionStep, ExpectationStep, ScenarioStep } from "../file/model.ts";

/** A step in a few words, for a line of a report. */
export function describeStep(step: ScenarioStep): string {
  return "expect" in step ? describeExpectation(step) : describeAction(step);
}

function describeExpectation(step: ExpectationStep): string {
  switch (step.expect) {
    case "call":
      return `expect call ${step.tool}${timesOf(step.times)}`;
    case "request":
    case "notification":
      return `expect ${step.expect} ${step.method}${timesOf(step.times)}`;
    case "no-call":
      return step.tool === undefined ? "expect no other call" : `expect no call ${step.tool}`;
    case "no-connection":
      return `expect no connection${step.editor === undefined ? "" : ` to ${step.editor}`}`;
    case "diff":
      return `expect diff ${step.outcome}${step.filePath === undefined ? "" : ` ${step.filePath}`}`;
    case "file":
      return `expect file ${step.filePath}`;
    case "exit":
      return step.code === undefined ? "expect exit" : `expect exit ${step.code}`;
    default:
      return `expect ${step.expect}`;
  }
}

function timesOf(times: number | undefined): string {
  return times === undefined || times === 1 ? "" : ` ${times} times`;
}

function describeAction(step: ActionStep): string {
  switch (step.do) {
    case "select": {
      const { start, end } = step.selection;
      return `select ${step.filePath} ${start.line}:${start.character}-${end.line}:${end.character}`;
    }
    case "diff":
      return `diff ${step.answer}${step.filePath === undefined ? "" : ` ${step.filePath}`}`;
    case "answerTool":
      return `answerTool ${step.tool}`;
    case "notify":
      return `notify ${step.method}`;
    case "wait":
      return `wait ${step.ms} ms`;
    case "restart":
      return `restart with ${step.token ?? "same"} token`;
    case "clear":
    case "drop":
      return step.do;
    default:
      return `${step.do} ${step.filePath}`;
  }
}

/** What was seen, in a few words. */
export function describeEvent(event: SeenEvent): string {
  switch (event.kind) {
    case "request":
    case "notification":
      return `${event.kind} ${event.method}${toolOf(event)}`;
    case "connected":
    case "refused":
      return `${event.kind} (${event.editor})`;
    case "disconnected":
      return `disconnected (${event.code}${event.reason && `: ${event.reason}`})`;
    case "diff":
      return `diff ${event.outcome} ${event.filePath}`;
    case "exit":
      return event.code === undefined ? "exit by a signal" : `exit ${event.code}`;
    case "initialized":
      return `initialized by ${describeValue(event.agent)}`;
    default:
      return event.kind;
  }
}

function toolOf({ method, params }: { readonly method: string; readonly params: unknown }): string {
  if (method !== "tools/call") return "";
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? ` ${name}` : "";
}
