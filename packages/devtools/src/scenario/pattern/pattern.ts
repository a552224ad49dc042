import { isObject, namesOfPointer, pointerTo } from "@idewire/core/internal";
import { isLike } from "../../like.ts";
import { exactJson } from "../../trace/exact-json.ts";

/** The longest text, in UTF-16 units, that is shown of a value. */
const MAX_SHOWN = 10_000;

/** Where a value does not match its pattern. */
export interface Mismatch {
  /** A JSON pointer; `""` is the whole. */
  readonly at: string;
  readonly expected: string;
  readonly seen: string;
}

/** How an agent names the files of the workspace. */
export interface PathWords {
  /** The native path of a file. */
  path(path: string): string;
}

interface PatternContext {
  readonly words: PathWords;
  readonly at: string;
}

/** An operator in place of a value. */
interface Operator {
  compare(operand: unknown, value: unknown, context: PatternContext): readonly Mismatch[];
  /** The expected operand; undefined when it is valid. */
  refuse(operand: unknown): string | undefined;
}

const kinds = ["anything", "string", "number", "boolean", "object", "list", "null"];

const operators: Readonly<Record<string, Operator>> = {
  $any: {
    refuse: (kind) => (kinds.includes(String(kind)) ? undefined : `one of ${kinds.join(", ")}`),
    compare: (kind, value, { at }) =>
      unless(
        isKind(String(kind), value),
        at,
        kind === "anything" ? "anything" : `a ${String(kind)}`,
        value,
      ),
  },
  $like: {
    refuse: refuseUnlessText,
    compare: (operand, value, { at }) =>
      unless(
        typeof value === "string" && isLike(String(operand), value),
        at,
        `a text like ${describe(operand)}`,
        value,
      ),
  },
  $path: {
    refuse: refuseUnlessText,
    compare: (name, value, { at, words }) => {
      const path = words.path(String(name));
      return unless(value === path, at, describe(path), value);
    },
  },
  $uri: {
    refuse: refuseUnlessText,
    compare: (name, value, { at, words }) => {
      // As Claude Code writes it: not encoded.
      const uri = `file://${words.path(String(name))}`;
      return unless(value === uri, at, describe(uri), value);
    },
  },
  $absent: {
    refuse: (operand) => (operand === true ? undefined : "true"),
    compare: (_, value, { at }) => unless(value === undefined, at, "nothing", value),
  },
  $exactly: {
    refuse: () => undefined,
    compare: (operand, value, { at }) =>
      unless(isSame(operand, value), at, describe(operand), value),
  },
  $json: {
    refuse: findPatternFault,
    compare: (pattern, value, context) => compareJson(pattern, value, context),
  },
  $has: {
    refuse: findPatternFault,
    compare: (pattern, value, { at, words }) => {
      const isFound =
        Array.isArray(value) && value.some((item) => mismatches(pattern, item, words).length === 0);
      return unless(isFound, at, `a list with ${describe(pattern)} in it`, value);
    },
  },
  $oneOf: {
    refuse: (patterns) =>
      Array.isArray(patterns) && patterns.length > 0
        ? patterns.map(findPatternFault).find((fault) => fault !== undefined)
        : "a list of patterns",
    compare: (patterns, value, { at, words }) => {
      const list = patterns as readonly unknown[];
      const isFound = list.some((pattern) => mismatches(pattern, value, words).length === 0);
      return unless(isFound, at, `one of ${describe(patterns)}`, value);
    },
  },
};

/**
 * Where `value` does not match `pattern`; empty when it does. Objects may have additional members, lists
 * may not have additional items; an object with one `$` member is an operator.
 */
export function mismatches(
  pattern: unknown,
  value: unknown,
  words: PathWords,
  at = "",
): readonly Mismatch[] {
  if (Array.isArray(pattern)) return compareList(pattern, value, { words, at });
  if (!isPlainObject(pattern)) return unless(isSame(pattern, value), at, describe(pattern), value);
  const [[name, operand] = ["", undefined]] = Object.entries(pattern);
  const operator = operatorOf(name);
  if (operator !== undefined) return operator.compare(operand, value, { words, at });
  if (!isPlainObject(value)) return unless(false, at, describe(pattern), value);
  return Object.entries(pattern).flatMap(([key, part]) =>
    mismatches(part, memberOf(value, key), words, pointerTo(at, key)),
  );
}

/** The expected pattern, as it follows "expected"; undefined when it is valid. */
export function findPatternFault(pattern: unknown): string | undefined {
  if (Array.isArray(pattern)) {
    return pattern.map(findPatternFault).find((fault) => fault !== undefined);
  }
  if (!isPlainObject(pattern)) return undefined;
  const names = Object.keys(pattern);
  const name = names.find((key) => key.startsWith("$"));
  if (name === undefined) return findPatternFault(Object.values(pattern));
  const operator = operatorOf(name);
  if (operator === undefined) return `one of ${Object.keys(operators).join(", ")} for ${name}`;
  if (names.length > 1) return `nothing beside ${name}`;
  const words = operator.refuse(pattern[name]);
  return words?.startsWith("one of $") || words === undefined ? words : `${name}: ${words}`;
}

/** The part of a value that a JSON pointer (RFC 6901) names; undefined when there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  let part = value;
  for (const key of namesOfPointer(pointer)) {
    part = typeof part === "object" && part !== null ? memberOf(part, key) : undefined;
  }
  return part;
}

function operatorOf(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? operators[name] : undefined;
}

function compareList(
  pattern: readonly unknown[],
  value: unknown,
  { words, at }: PatternContext,
): readonly Mismatch[] {
  if (!Array.isArray(value)) return unless(false, at, describe(pattern), value);
  if (value.length !== pattern.length) {
    return unless(false, at, `${pattern.length} items: ${describe(pattern)}`, value);
  }
  return pattern.flatMap((part, index) => mismatches(part, value[index], words, `${at}/${index}`));
}

function compareJson(
  pattern: unknown,
  value: unknown,
  { words, at }: PatternContext,
): readonly Mismatch[] {
  if (typeof value !== "string") return unless(false, at, "a JSON text", value);
  try {
    return mismatches(pattern, exactJson.parse(value), words, at);
  } catch {
    return unless(false, at, "a JSON text", value);
  }
}

function isKind(kind: string, value: unknown): boolean {
  if (kind === "anything") return value !== undefined;
  if (kind === "list") return Array.isArray(value);
  if (kind === "object") return isPlainObject(value);
  if (kind === "number" && exactJson.isLongNumber(value)) return true;
  return kind === "null" ? value === null : typeof value === kind;
}

/** An object, but for a number that is spelled as no other can be. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !exactJson.isLongNumber(value);
}

function isSame(left: unknown, right: unknown): boolean {
  if (exactJson.isLongNumber(left)) {
    return exactJson.isLongNumber(right) && String(left) === String(right);
  }
  if (typeof left !== "object" || left === null) return left === right;
  if (typeof right !== "object" || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && isSame(memberOf(left, key), memberOf(right, key)),
    )
  );
}

function memberOf(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

function refuseUnlessText(operand: unknown): string | undefined {
  return typeof operand === "string" ? undefined : "a text";
}

function unless(holds: boolean, at: string, expected: string, value: unknown): readonly Mismatch[] {
  return holds ? [] : [{ at, expected, seen: describe(value) }];
}

/** Longer than values in error messages, since a reader compares two of them. */
function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  let text: string;
  try {
    text = exactJson.stringify(value);
  } catch {
    return "a value nested too deeply to be shown";
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
