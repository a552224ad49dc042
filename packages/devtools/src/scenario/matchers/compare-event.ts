import { isObject } from "@idewire/core/internal";
import { isLike } from "../../like.ts";
import type { SeenEvent } from "../editor/seen.ts";
import type { ExpectationStep, ScenarioExpectations } from "../file/model.ts";
import { type Mismatch, mismatches, type PathWords, valueAt } from "../pattern/pattern.ts";

/** Expectations that take an event. */
export type MessageStep = Exclude<
  ExpectationStep,
  ScenarioExpectations["no-call" | "no-connection" | "file" | "frames"]
>;

/** The names of a scenario's files and of its editor. */
export interface ContextWords extends PathWords {
  /** The name of the scenario's editor. */
  readonly name: string;
}

/** How an event differs from a step's expectation; empty when it matches, undefined when it is of another kind. */
export function compareEvent(
  step: MessageStep,
  event: SeenEvent,
  words: ContextWords,
): readonly Mismatch[] | undefined {
  switch (step.expect) {
    case "call":
      return compareCall(step, event, words);
    case "request":
    case "notification": {
      if (event.kind !== step.expect || event.method !== step.method) return undefined;
      return compareParts(event.params, step.params, { at: step.at, words });
    }
    case "initialized":
      if (event.kind !== "initialized") return undefined;
      return compareParts(event.agent, step.agent, { words });
    case "connected":
      return event.kind === "connected"
        ? compareEditor(step.editor, event.editor, words)
        : undefined;
    case "disconnected":
    case "exit":
      return event.kind === step.expect ? compareCode(step.code, event.code) : undefined;
    case "diff":
      return event.kind === "diff" ? compareDiff(step, event) : undefined;
    default:
      return event.kind === step.expect ? [] : undefined;
  }
}

/** The tool that an event calls, with the arguments; undefined if it is not a call. */
export function callOf(
  event: SeenEvent,
): { readonly tool: unknown; readonly arguments: unknown } | undefined {
  if (event.kind !== "request" || event.method !== "tools/call") return undefined;
  const params = isObject(event.params) ? event.params : {};
  return { tool: params["name"], arguments: params["arguments"] ?? {} };
}

function compareCall(
  step: ScenarioExpectations["call"],
  event: SeenEvent,
  words: PathWords,
): readonly Mismatch[] | undefined {
  const call = callOf(event);
  if (call === undefined || call.tool !== step.tool) return undefined;
  return compareParts(call.arguments, step.arguments, { at: step.at, words });
}

interface PartPatterns {
  readonly at?: Readonly<Record<string, unknown>> | undefined;
  readonly words: PathWords;
}

function compareParts(
  value: unknown,
  pattern: unknown,
  { at = {}, words }: PartPatterns,
): readonly Mismatch[] {
  const whole = pattern === undefined ? [] : mismatches(pattern, value, words);
  const parts = Object.entries(at).flatMap(([pointer, part]) =>
    mismatches(part, valueAt(value, pointer), words, pointer),
  );
  return [...whole, ...parts];
}

function compareDiff(
  { outcome, path, title }: ScenarioExpectations["diff"],
  event: SeenEvent & { readonly kind: "diff" },
): readonly Mismatch[] {
  const isSame = outcome === event.outcome;
  return [
    ...(isSame ? [] : [{ at: "/outcome", expected: outcome, seen: event.outcome }]),
    ...compareLike("path", path, event.path),
    ...compareLike("title", title, event.title),
  ];
}

/** Without a name, the scenario's own editor is meant, not one of the other editors. */
function compareEditor(
  like: string | undefined,
  seen: string,
  { name }: ContextWords,
): readonly Mismatch[] {
  if (like !== undefined) return compareLike("editor", like, seen);
  if (seen === name) return [];
  return [{ at: "/editor", expected: JSON.stringify(name), seen: JSON.stringify(seen) }];
}

function compareLike(member: string, like: string | undefined, seen: string): readonly Mismatch[] {
  if (like === undefined || isLike(like, seen)) return [];
  return [
    {
      at: `/${member}`,
      expected: `a text like ${JSON.stringify(like)}`,
      seen: JSON.stringify(seen),
    },
  ];
}

function compareCode(code: number | undefined, seen: number | undefined): readonly Mismatch[] {
  if (code === undefined || code === seen) return [];
  return [{ at: "/code", expected: String(code), seen: String(seen ?? "a signal") }];
}
