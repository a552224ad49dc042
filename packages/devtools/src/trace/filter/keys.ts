import { describeValue, type ParseResult, parsed, refused } from "@idewire/core/internal";
import { isLike } from "../../like.ts";
import { type ProblemLayer, problemLayers } from "../problems/problem-layer.ts";
import { type FrameFacts, isOpenRequest } from "../rows/frame-index.ts";
import type { Comparison } from "./terms.ts";

/** Whether a frame has the value that a key asks for; `problems` is called only if needed. */
export type KeyTest = (facts: FrameFacts, problems?: () => readonly ProblemLayer[]) => boolean;

/** A key of the filter language. */
export interface FilterKey {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** In words, for completion and help. */
  readonly about: string;
  readonly example: string;
  /** The possible values; any when left out. */
  readonly values?: readonly string[];
  compile(value: string, comparison: Comparison): ParseResult<KeyTest>;
}

const statuses: Readonly<Record<string, KeyTest>> = {
  ok: ({ kind, toolError }) => kind === "result" && toolError !== true,
  error: ({ kind, toolError }) => kind === "error" || toolError === true,
  toolerror: ({ toolError }) => toolError === true,
  open: (facts) => isOpenRequest(facts),
  unanswered: ({ unanswered, lost }) => unanswered !== undefined || lost === true,
  answered: ({ kind, pair }) => kind === "request" && pair !== undefined,
  malformed: ({ kind }) => kind === "malformed",
};

const kinds: Readonly<Record<string, KeyTest>> = {
  request: ({ kind }) => kind === "request",
  notification: ({ kind }) => kind === "notification",
  response: ({ kind }) => kind === "result" || kind === "error",
  result: ({ kind }) => kind === "result",
  error: ({ kind }) => kind === "error",
  batch: ({ kind }) => kind === "batch",
  malformed: ({ kind }) => kind === "malformed",
};

const directions: Readonly<Record<string, KeyTest>> = {
  out: ({ dir }) => dir === "ide>agent",
  in: ({ dir }) => dir === "agent>ide",
  ide: ({ dir }) => dir === "ide>agent",
  agent: ({ dir }) => dir === "agent>ide",
};

const problems: Record<string, KeyTest> = {
  any: (_, layers) => (layers?.() ?? []).length > 0,
};
for (const layer of problemLayers) {
  problems[layer] = (_, layers) => layers?.().includes(layer) === true;
}

const times = { "": 1, ms: 1, s: 1000, min: 60_000 };
const sizes = { "": 1, b: 1, kb: 1000, mb: 1_000_000 };

/** All keys, in the order of the help. */
export const filterKeys: readonly FilterKey[] = [
  oneOf("dir", "who sent it: out or ide, in or agent", directions),
  oneOf("kind", "the kind of frame", kinds),
  textKey("method", "the method; of an answer, the request's", ({ method }) => method),
  { ...textKey("tool", "the tool of tools/call", ({ tool }) => tool), aliases: ["name"] },
  textKey("id", "the id of the request", ({ id }) => (id === undefined ? undefined : `${id}`)),
  oneOf("status", "how it ended", statuses),
  numberKey("code", "the code of the error", ({ errorCode }) => errorCode, { "": 1 }),
  numberKey(
    "duration",
    "the time from the request to its answer",
    ({ durationMs }) => durationMs,
    times,
  ),
  numberKey("size", "UTF-16 units of the frame", ({ units }) => units, sizes),
  numberKey("n", "the number of the row", ({ number }) => number, { "": 1 }),
  { ...numberKey("t", "the time since the beginning", ({ t }) => t, times), aliases: ["time"] },
  textKey("ch", "the connection", ({ ch }) => ch),
  oneOf("problem", "its problems, by layer", problems),
  oneOf("is", "whether you have marked it", { marked: ({ marked }) => marked === true }),
  textKey("fault", "the fault that was injected; any", ({ fault }) => fault),
];

/** The key with a name, in small letters, or an alias. */
export function keyNamed(wanted: string): FilterKey | undefined {
  return filterKeys.find(({ name, aliases }) => {
    return name === wanted || aliases?.includes(wanted) === true;
  });
}

function oneOf(name: string, about: string, table: Readonly<Record<string, KeyTest>>): FilterKey {
  const values = Object.keys(table);
  return {
    name,
    about,
    values,
    example: `${name}:${values[0]}`,
    compile(value, comparison) {
      const test = Object.hasOwn(table, value.toLowerCase())
        ? table[value.toLowerCase()]
        : undefined;
      if (comparison !== ":" || test === undefined) {
        return refused(`must be one of ${values.join(", ")}; got ${describeValue(value)}`);
      }
      return parsed(test);
    },
  };
}

function textKey(
  name: string,
  about: string,
  read: (facts: FrameFacts) => string | undefined,
): FilterKey {
  const example = { method: "method:tools/call", tool: "tool:openDiff", id: "id:7" }[name];
  return {
    name,
    about,
    example: example ?? `${name}:any`,
    compile(value, comparison) {
      if (comparison !== ":") return refused(`is text, and cannot be compared with ${comparison}`);
      if (/^\/.*\/[a-z]*$/s.test(value)) {
        return refused("takes * for any text; a /regex/ stands alone, and searches the frame");
      }
      if (value === "any" || value === "*") return parsed((facts) => read(facts) !== undefined);
      const pattern = value.toLowerCase();
      return parsed((facts) => {
        const text = read(facts);
        return text !== undefined && isLike(pattern, text.toLowerCase());
      });
    },
  };
}

function numberKey(
  name: string,
  about: string,
  read: (facts: FrameFacts) => number | undefined,
  units: Readonly<Record<string, number>>,
): FilterKey {
  const unit = Object.keys(units).find((word) => word !== "") ?? "";
  return {
    name,
    about,
    example: name === "code" ? "code:-32601" : `${name}:>500${unit}`,
    compile(value, comparison) {
      const [low, high, ...more] = value.split("..");
      if (high === undefined) {
        const limit = readNumber(value, units);
        if (!limit.ok) return limit;
        return parsed((facts) => compare(read(facts), comparison, limit.value));
      }
      if (comparison !== ":" || more.length > 0) {
        return refused(`a range is two numbers with .. between; got ${describeValue(value)}`);
      }
      const range = readRange(low ?? "", high, units);
      if (!range.ok) return range;
      const { from, to } = range.value;
      return parsed((facts) => {
        const number = read(facts);
        return number !== undefined && number >= from && number <= to;
      });
    },
  };
}

type Units = Readonly<Record<string, number>>;

/** Both ends are included, and one may be left out; a start without a unit uses that of the end. */
function readRange(
  low: string,
  high: string,
  units: Units,
): ParseResult<{ readonly from: number; readonly to: number }> {
  if (low === "" && high === "") return refused("a range needs a number before or after its ..");
  const [, unit = ""] = /^-?[\d.]*\s*([a-z]*)$/i.exec(high) ?? [];
  const start = /\d$/.test(low) ? `${low}${unit}` : low;
  const from = low === "" ? parsed(Number.NEGATIVE_INFINITY) : readNumber(start, units);
  if (!from.ok) return from;
  const to = high === "" ? parsed(Number.POSITIVE_INFINITY) : readNumber(high, units);
  if (!to.ok) return to;
  if (from.value <= to.value) return parsed({ from: from.value, to: to.value });
  return refused(`a range must begin with the lower number; got ${low}..${high}`);
}

function readNumber(value: string, units: Units): ParseResult<number> {
  const [, digits = "", word = ""] = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(value) ?? [];
  const factor = Object.hasOwn(units, word.toLowerCase()) ? units[word.toLowerCase()] : undefined;
  if (digits !== "" && factor !== undefined) return parsed(Number(digits) * factor);
  const known = Object.keys(units).filter((one) => one !== "");
  const hint = known.length === 0 ? "" : ` with one of ${known.join(", ")}`;
  return refused(`must be a number${hint}; got ${describeValue(value)}`);
}

function compare(value: number | undefined, comparison: Comparison, limit: number): boolean {
  if (value === undefined) return false;
  switch (comparison) {
    case ">":
      return value > limit;
    case ">=":
      return value >= limit;
    case "<":
      return value < limit;
    case "<=":
      return value <= limit;
    default:
      return value === limit;
  }
}
