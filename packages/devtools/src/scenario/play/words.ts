import type { Range } from "@idewire/core";
import { describeValue } from "@idewire/core/internal";
import type { SeenEvent } from "../editor/seen.ts";
import type {
  ActionStep,
  AgentStep,
  ExpectationStep,
  ScenarioStep,
  TextRange,
} from "../file/model.ts";

/** A step in a few words, for a line of a report or of a trace. */
export function describeStep(step: ScenarioStep): string {
  if ("expect" in step) return describeExpectation(step);
  return "agent" in step ? describeAgentAction(step) : describeAction(step);
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
      return `expect diff ${step.outcome}${step.path === undefined ? "" : ` ${step.path}`}`;
    case "file":
      return `expect file ${step.path}`;
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
    case "open":
    case "close":
    case "save":
    case "revert":
    case "write":
      return `${verbs[step.do]} ${step.path}`;
    case "keepUnsaved":
      return `leaves ${step.path} unsaved`;
    case "edit":
      return `types in ${step.path}`;
    case "select":
      return `selects ${describeRange(step.range)} of ${step.path}`;
    case "mention":
      return `sends ${step.path} to the agent`;
    case "answerDiff":
      return `${answers[step.answer.kind]} the diff`;
    case "comment":
      return `comments on ${JSON.stringify(step.on)} of ${step.path}`;
    case "diagnostics":
      return `sets the diagnostics of ${step.path}`;
    case "diff":
      return `answers diffs: ${step.answer}${step.path === undefined ? "" : ` ${step.path}`}`;
    case "answerTool":
      return `answers ${step.tool}`;
    case "notify":
      return `sends ${step.method}`;
    case "wait":
      return `waits ${step.ms} ms`;
    case "restart":
      return `restarts with ${step.token ?? "same"} token`;
    default:
      return others[step.do];
  }
}

const verbs = {
  ...{ open: "opens", close: "closes", save: "saves", revert: "reverts", write: "writes" },
} as const;

const others = {
  clearSelection: "clears the selection",
  setDiagnostics: "sets all diagnostics",
  drop: "closes all connections",
  faults: "changes the injected faults",
  send: "sends a frame",
  closeEditor: "closes the editor",
  log: "adds an event to the trace",
} as const;

const answers = { accepted: "accepts", rejected: "rejects", closed: "closes" } as const;

function describeRange(range: Range | TextRange): string {
  if ("from" in range) return JSON.stringify(range.from);
  const { start, end } = range;
  return `${start.line}:${start.character}-${end.line}:${end.character}`;
}

function describeAgentAction(step: AgentStep): string {
  switch (step.agent) {
    case "connect":
      return "starts, and looks for an editor";
    case "disconnect":
      return "ends";
    case "propose":
      return `wants to change ${step.path}`;
    case "terminal":
      return `answers ${step.accept ? "yes" : "no"} in the terminal`;
    case "call":
      return `calls ${step.tool}`;
    case "request":
      return `requests ${step.method}`;
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
      return `diff ${event.outcome} ${event.path}`;
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
