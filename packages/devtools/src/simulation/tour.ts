import { describeValue, isObject, type ParseResult, parsed, refused } from "@idewire/core/internal";
import * as v from "valibot";
import { type PageCommentTag, pageCommentTags } from "../page-comment-tags.ts";
import { parseFaultPlan } from "../trace/faults/fault.ts";

/** A text to find and its replacement; only the first occurrence is replaced. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
}

/** A comment beside the code; the line counts from 1. */
export interface TourComment {
  readonly filePath: string;
  readonly line: number;
  readonly tag: PageCommentTag;
  readonly text: string;
}

/** A step of a tour: an action of the person, of the agent, or of their surroundings. Lines count from 0. */
export type TourStep = { readonly say?: string } & (
  | { readonly do: "open" | "close" | "save"; readonly filePath: string }
  | { readonly do: "edit"; readonly filePath: string; readonly edit: TextEdit }
  | {
      readonly do: "comment";
      readonly filePath: string;
      /** Text of the line that it is about. */
      readonly on: string;
      readonly tag: TourComment["tag"];
      readonly text: string;
    }
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

/** A long text in few characters: a repeated line, each with its line end, then an empty line. */
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

/** A guided tour: an editor and an agent, step by step. */
export interface Tour {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Files in addition to those of the sample, or in place of them: a text, or a repeated line. */
  readonly files?: Readonly<Record<string, string | RepeatedLine>>;
  /** The path of the folder, if it matters; it may be a Windows path. */
  readonly folder?: string;
  readonly steps: readonly TourStep[];
  /** The expected frames, each as its direction and its method or kind. */
  readonly wire: readonly string[];
}

const say = { say: v.exactOptional(v.string()) };
const text = v.string();
const edit = v.object({ find: text, replace: text });
const anyObject = v.record(v.string(), v.unknown());

const step = v.union([
  v.object({ ...say, do: v.picklist(["open", "close", "save"]), filePath: text }),
  v.object({ ...say, do: v.literal("edit"), filePath: text, edit }),
  v.object({
    ...say,
    do: v.literal("comment"),
    ...{ filePath: text, on: text, text },
    tag: v.picklist(pageCommentTags),
  }),
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

/** Parses a tour from a file. */
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
