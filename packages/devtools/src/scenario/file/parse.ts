import { describeValue, isObject } from "@idewire/core/internal";
import { type GenericSchema, getDotPath, type InferIssue, safeParse } from "valibot";
import { exactJson } from "../../trace/exact-json.ts";
import { scenarioLimits } from "./limits.ts";
import type { NumberedStep, Scenario, ScenarioHeader, ScenarioStep } from "./model.ts";
import { findJsonTrap } from "./scan-json.ts";
import { actionSchemas, agentSchemas, expectationSchemas, headerSchema } from "./schema.ts";
import { findStepIssue } from "./step-issues.ts";

/** A fault of a line. */
export interface ScenarioIssue {
  /** From 1. */
  readonly line: number;
  /** The value seen and the value expected. */
  readonly issue: string;
}

/** A scenario, or the first issues of its text, in the order of the lines. */
export type ScenarioResult =
  | { readonly ok: true; readonly value: Scenario }
  | { readonly ok: false; readonly issues: readonly ScenarioIssue[] };

const MAX_ISSUES = 20;

/**
 * Parses a scenario: one JSON object a line, the header first. Nothing is performed yet, so a refused
 * scenario has no effect.
 */
export function parseScenario(text: string): ScenarioResult {
  if (text.length > scenarioLimits.textLength) {
    const issue = `expected a scenario of at most ${scenarioLimits.textLength} characters, got ${text.length}`;
    return { ok: false, issues: [{ line: 1, issue }] };
  }
  const reader = new Reader();
  let line = 0;
  for (const content of linesOf(text)) {
    line += 1;
    if (!reader.take(line, content)) break;
  }
  return reader.end();
}

/** Makes a scenario of values, which are checked as those of a file are. */
export function createScenario(
  header: Partial<ScenarioHeader>,
  steps: readonly ScenarioStep[],
): ScenarioResult {
  const whole = { idewire: "scenario/1", name: "a scenario", ...header };
  return parseScenario([whole, ...steps].map((line) => exactJson.stringify(line)).join("\n"));
}

function* linesOf(text: string): Generator<string> {
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

class Reader {
  readonly #issues: ScenarioIssue[] = [];
  readonly #steps: NumberedStep[] = [];
  #header: ScenarioHeader | undefined;
  #isHeaderRead = false;
  #isFull = false;

  /** False when the rest need not be read. */
  take(line: number, content: string): boolean {
    if (content.trim() !== "") {
      const issue = this.#read(line, content);
      if (issue !== undefined) this.#issues.push({ line, issue });
    }
    return this.#issues.length < MAX_ISSUES && !this.#isFull;
  }

  end(): ScenarioResult {
    const header = this.#header;
    if (!this.#isHeaderRead) this.#issues.push({ line: 1, issue: `${HEADER}, got nothing` });
    if (this.#issues.length > 0 || header === undefined) return { ok: false, issues: this.#issues };
    return { ok: true, value: { header, steps: this.#steps } };
  }

  #read(line: number, content: string): string | undefined {
    if (content.length > scenarioLimits.lineLength) {
      return `expected at most ${scenarioLimits.lineLength} characters, got ${content.length}`;
    }
    const value = parseLine(content);
    if (typeof value === "string") return value;
    if (this.#isHeaderRead) return this.#readStep(line, value);
    this.#isHeaderRead = true;
    if (value["idewire"] === undefined) return `${HEADER}, got ${describeValue(value)}`;
    const header = check(headerSchema, value);
    if (typeof header === "string") return header;
    this.#header = header;
    return undefined;
  }

  #readStep(line: number, value: LineObject): string | undefined {
    if (this.#steps.length >= scenarioLimits.steps) {
      this.#isFull = true;
      return `expected at most ${scenarioLimits.steps} steps, got more`;
    }
    const schema = schemaOf(value);
    if (typeof schema === "string") return schema;
    const step = check(schema, value);
    if (typeof step === "string") return step;
    this.#steps.push({ line, step });
    return findStepIssue(step);
  }
}

const HEADER = 'expected a header first: {"idewire":"scenario/1","name":"…"}';

type LineObject = Readonly<Record<string, unknown>>;

/** The object of a line, or its issue. */
function parseLine(content: string): LineObject | string {
  let value: unknown;
  try {
    value = exactJson.parse(content);
  } catch {
    return `expected JSON, got ${cut(content.trim())}`;
  }
  const trap = findJsonTrap(content);
  if (trap !== undefined) return trap;
  return isObject(value) ? value : `expected an object, got ${describeValue(value)}`;
}

function schemaOf(value: LineObject): GenericSchema<unknown, ScenarioStep> | string {
  if (value["idewire"] !== undefined)
    return "a second header: a scenario has one, in its first line";
  const { do: verb, expect: kind, agent } = value;
  if (verb !== undefined && kind === undefined) return pick("do", actionSchemas, verb);
  if (kind !== undefined && verb === undefined) return pick("expect", expectationSchemas, kind);
  if (kind === undefined && agent !== undefined) return pick("agent", agentSchemas, agent);
  return `expected either "do", "agent" or "expect", got ${describeValue(value)}`;
}

type StepSchemas = Readonly<Record<string, GenericSchema<unknown, ScenarioStep>>>;

function pick(
  member: string,
  schemas: StepSchemas,
  name: unknown,
): GenericSchema<unknown, ScenarioStep> | string {
  const schema =
    typeof name === "string" && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema !== undefined) return schema;
  return `${member}: expected one of ${Object.keys(schemas).join(", ")}, got ${describeValue(name)}`;
}

/** The value, or its issues. */
function check<T extends object>(schema: GenericSchema<unknown, T>, value: LineObject): T | string {
  const result = safeParse(schema, value);
  if (result.success) return result.output;
  return result.issues
    .slice(0, 3)
    .map((issue) => describeIssue(schema, issue))
    .join("; ");
}

/** What valibot's schemas have at run time, beyond their types. */
interface ValibotParts {
  readonly expects?: string;
  /** Given with a union. */
  readonly message?: string;
  readonly entries?: Readonly<Record<string, ValibotParts>>;
  readonly item?: ValibotParts;
  readonly wrapped?: ValibotParts;
}

function describeIssue(schema: GenericSchema, issue: InferIssue<GenericSchema>): string {
  const where = getDotPath(issue) ?? "the line";
  const keys = issue.path?.map(({ key }) => String(key)) ?? [];
  if (issue.type === "strict_object" && issue.expected === "never") {
    const known = Object.keys(partsAt(schema, keys.slice(0, -1))?.entries ?? {});
    return `${where}: unknown member; known members are ${known.join(", ")}`;
  }
  const isMissing = issue.input === undefined && issue.type.endsWith("object");
  const isOwn = issue.kind === "validation" || issue.type === "union";
  const own = isOwn ? issue.message : (issue.expected ?? issue.message);
  const expected = isMissing
    ? (partsAt(schema, keys)?.message ?? partsAt(schema, keys)?.expects ?? "a value")
    : own;
  return `${where}: expected ${expected.replaceAll("Object", "object")}, got ${describe(issue.input)}`;
}

function describe(value: unknown): string {
  return exactJson.isLongNumber(value) ? String(value) : describeValue(value);
}

function partsAt(schema: GenericSchema, keys: readonly string[]): ValibotParts | undefined {
  let parts: ValibotParts | undefined = schema;
  for (const key of keys) {
    const inner: ValibotParts | undefined = parts?.wrapped ?? parts;
    parts = inner?.entries?.[key] ?? inner?.item;
  }
  return parts?.wrapped ?? parts;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
