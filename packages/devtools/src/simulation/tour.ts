import { describeValue, isObject, type ParseResult, parsed, refused } from "@idewire/core";
import * as v from "valibot";
import { parseFaultPlan } from "../trace/faults/fault.ts";

/** A stretch of text that is looked for and replaced, once. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
}

/** One step of a tour: what the person, the agent or the world does. Lines count from 0. */
export type TourStep = { readonly say?: string } & (
  | { readonly do: "open" | "close" | "save"; readonly filePath: string }
  | { readonly do: "edit"; readonly filePath: string; readonly edit: TextEdit }
  | { readonly do: "select"; readonly filePath: string; readonly from: string; readonly to: string }
  | {
      readonly do: "mention";
      readonly filePath: string;
      readonly lineStart?: number;
      readonly lineEnd?: number;
    }
  | {
      readonly do: "answerDiff";
      readonly answer: "accept" | "reject" | "close";
      readonly edit?: TextEdit;
    }
  | {
      readonly agent: "connect";
      readonly protocolVersion?: "2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25";
      readonly wrongToken?: boolean;
    }
  | { readonly agent: "disconnect"; readonly code?: number }
  | { readonly agent: "propose"; readonly filePath: string; readonly edit: TextEdit }
  | { readonly agent: "terminal"; readonly accept: boolean }
  | {
      readonly agent: "call";
      readonly tool: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly agent: "request";
      readonly method: string;
      readonly params?: Readonly<Record<string, unknown>>;
    }
  | { readonly world: "faults"; readonly plan: unknown }
  | { readonly world: "send"; readonly dir: "agent>ide" | "ide>agent"; readonly raw: string }
  | { readonly world: "close-editor" }
  | { readonly world: "refuse"; readonly text: string }
  | { readonly world: "lock"; readonly what: "created" | "removed"; readonly file: string }
  | { readonly world: "wait"; readonly ms: number }
);

/** A long text that does not fill the file of a tour: each line ends, and an empty one is last. */
export interface RepeatedLine {
  readonly line: string;
  readonly times: number;
}

/** The texts of a tour's files. */
export function tourFiles({ files = {} }: Tour): Readonly<Record<string, string>> {
  const texts = Object.entries(files).map(([path, text]) => [
    path,
    typeof text === "string" ? text : `${`${text.line}\n`.repeat(text.times)}\n`,
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** A story of an editor and an agent, step by step. */
export interface Tour {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Files beside, or in place of, those of the sample: a text, or a line said many times. */
  readonly files?: Readonly<Record<string, string | RepeatedLine>>;
  /** The folder's path where it matters how it is written; it may be of Windows. */
  readonly folder?: string;
  readonly steps: readonly TourStep[];
  /** The frames that pass: direction and method or kind. What the tour is tested against. */
  readonly wire: readonly string[];
}

const say = { say: v.exactOptional(v.string()) };
const text = v.string();
const edit = v.object({ find: text, replace: text });
const anyObject = v.record(v.string(), v.unknown());

const step = v.union([
  v.object({ ...say, do: v.picklist(["open", "close", "save"]), filePath: text }),
  v.object({ ...say, do: v.literal("edit"), filePath: text, edit }),
  v.object({ ...say, do: v.literal("select"), filePath: text, from: text, to: text }),
  v.object({
    ...say,
    do: v.literal("mention"),
    filePath: text,
    lineStart: v.exactOptional(v.number()),
    lineEnd: v.exactOptional(v.number()),
  }),
  v.object({
    ...say,
    // `answer` is the older spelling.
    do: v.pipe(
      v.picklist(["answerDiff", "answer"]),
      v.transform(() => "answerDiff" as const),
    ),
    answer: v.picklist(["accept", "reject", "close"]),
    edit: v.exactOptional(edit),
  }),
  v.object({
    ...say,
    agent: v.literal("connect"),
    protocolVersion: v.exactOptional(
      v.picklist(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]),
    ),
    wrongToken: v.exactOptional(v.boolean()),
  }),
  v.object({ ...say, agent: v.literal("disconnect"), code: v.exactOptional(v.number()) }),
  v.object({ ...say, agent: v.literal("propose"), filePath: text, edit }),
  v.object({ ...say, agent: v.literal("terminal"), accept: v.boolean() }),
  v.object({ ...say, agent: v.literal("call"), tool: text, arguments: anyObject }),
  v.object({
    ...say,
    agent: v.literal("request"),
    method: text,
    params: v.exactOptional(anyObject),
  }),
  v.object({ ...say, world: v.literal("faults"), plan: v.unknown() }),
  v.object({
    ...say,
    world: v.literal("send"),
    dir: v.picklist(["agent>ide", "ide>agent"]),
    raw: text,
  }),
  v.object({ ...say, world: v.literal("close-editor") }),
  v.object({ ...say, world: v.literal("refuse"), text }),
  v.object({
    ...say,
    world: v.literal("lock"),
    what: v.picklist(["created", "removed"]),
    file: text,
  }),
  v.object({ ...say, world: v.literal("wait"), ms: v.number() }),
]);

const schema = v.object({
  id: text,
  title: text,
  about: text,
  files: v.exactOptional(
    v.record(
      v.string(),
      v.union([
        v.string(),
        v.object({ line: v.string(), times: v.pipe(v.number(), v.integer(), v.maxValue(100_000)) }),
      ]),
    ),
  ),
  folder: v.exactOptional(text),
  steps: v.array(step),
  wire: v.array(text),
}) as v.GenericSchema<unknown, Tour>;

/** Checks a tour that comes from a file. */
export function parseTour(value: unknown): ParseResult<Tour> {
  if (!isObject(value)) return refused(`expected a tour, got ${describeValue(value)}`);
  const read = v.safeParse(schema, value);
  if (!read.success) {
    const [issue] = read.issues;
    return refused(`${v.getDotPath(issue) ?? "tour"}: ${issue.message}`);
  }
  for (const [index, one] of read.output.steps.entries()) {
    if (!("world" in one) || one.world !== "faults" || one.plan === null) continue;
    const plan = parseFaultPlan(one.plan);
    if (!plan.ok) return refused(`steps.${index}.plan: ${plan.issue}`);
  }
  return parsed(read.output);
}
