import { describeValue, type ParseResult, parsed, refused } from "@idewire/core/internal";
import type { ProblemLayer } from "../problems/problem-layer.ts";
import type { FrameFacts } from "../rows/frame-index.ts";
import {
  FilterFault,
  type FilterNode,
  type FilterPlace,
  type FilterRegex,
  parseExpression,
} from "./expression.ts";
import { type FilterKey, filterKeys, type KeyTest, keyNamed } from "./keys.ts";
import type { FilterTerm } from "./terms.ts";

/** The frame that a filter is applied to. */
export interface FilterSubject {
  readonly facts: FrameFacts;
  /** The text of the frame; called only when a term searches it. */
  readonly raw: () => string;
  /** The layers in which it has problems; none when it was not checked. */
  readonly problems?: () => readonly ProblemLayer[];
  /** Whether a regular expression was found in it; searched for here when left out. */
  readonly found?: (regex: FilterRegex) => boolean;
}

/** A parsed filter. */
export interface Filter {
  readonly source: string;
  /** The source has no term, so every frame passes. */
  readonly isEmpty: boolean;
  /** Whether a term reads problems, which are found later than the frame. */
  readonly asksProblems: boolean;
  /** Its regular expressions, which may never end: see {@link findMatches}. */
  readonly regexes: readonly FilterRegex[];
  matches(subject: FilterSubject): boolean;
}

/** A filter, or a syntax error with its place in the source. */
export type FilterResult =
  | { readonly ok: true; readonly value: Filter }
  | { readonly ok: false; readonly issue: string; readonly place: FilterPlace };

/** What a filter may contain. */
export interface ParseFilterOptions {
  /** Regular expressions, for a caller that can end a search: they are the engine's own. Off when left out. */
  readonly regex?: boolean;
}

type Test = (subject: FilterSubject) => boolean;

/**
 * Parses the filter language: terms separated by spaces, all of which must match; `OR`, which binds less;
 * `NOT`, `-` or `!` before a term or a group; groups in `( )`.
 *
 * `dir:out` (from the editor) or `dir:in`, `kind:request`, `method:tools/*`, `tool:openDiff`, `id:7`,
 * `status:error`, `code:-32601`, `duration:>500ms`, `size:>=2kB`, `n:15..20`, `time:<5s`, `ch:c1`, `fault:any`,
 * `problem:any`; several values with commas, ranges with both ends included or one left out; `*` stands for any
 * text; `/regex/` with the flags `imsu` searches the frame; anything else is searched for in the frame,
 * ignoring letter case. Operators of other languages are refused unless they are quoted.
 */
export function parseFilter(source: string, options: ParseFilterOptions = {}): FilterResult {
  try {
    const node = parseExpression(source);
    const terms = [...leavesOf(node)];
    return {
      ok: true,
      value: {
        source,
        isEmpty: terms.length === 0,
        asksProblems: terms.some((leaf) => leaf.kind === "term" && leaf.term.key === "problem"),
        regexes: terms.flatMap((leaf) => (leaf.kind === "regex" ? leaf.regex : [])),
        matches: compile(node, options),
      },
    };
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
    return { ok: false, issue: error.message, place: error.place };
  }
}

type Leaf = Extract<FilterNode, { readonly kind: "term" | "regex" }>;

function* leavesOf(node: FilterNode): Generator<Leaf> {
  if (node.kind === "term" || node.kind === "regex") yield node;
  else if (node.kind === "not") yield* leavesOf(node.part);
  else for (const part of node.parts) yield* leavesOf(part);
}

function compile(node: FilterNode, options: ParseFilterOptions): Test {
  switch (node.kind) {
    case "and": {
      const tests = node.parts.map((part) => compile(part, options));
      return (subject) => tests.every((test) => test(subject));
    }
    case "or": {
      const tests = node.parts.map((part) => compile(part, options));
      return (subject) => tests.some((test) => test(subject));
    }
    case "not": {
      const test = compile(node.part, options);
      return (subject) => !test(subject);
    }
    case "regex":
      return compileRegex(node, options);
    default: {
      const test = compileTerm(node.term);
      if (test.ok) return test.value;
      throw new FilterFault(node.term, test.issue);
    }
  }
}

function compileRegex(
  { regex: wanted, from, to }: Extract<FilterNode, { readonly kind: "regex" }>,
  { regex = false }: ParseFilterOptions,
): Test {
  if (!regex) {
    const issue = "a regular expression cannot be used here; quote text that contains '/'";
    throw new FilterFault({ from, to }, issue);
  }
  try {
    const compiled = new RegExp(wanted.pattern, wanted.flags);
    return ({ raw, found }) => found?.(wanted) ?? compiled.test(raw());
  } catch (error) {
    throw new FilterFault({ from, to }, (error as Error).message);
  }
}

function compileTerm(term: FilterTerm): ParseResult<Test> {
  if (term.key === undefined) return compileSearch(term);
  const key = keyNamed(term.key);
  if (key !== undefined) return compileKey(key, term);
  const known = filterKeys.map(({ name }) => name).join(", ");
  return refused(`unknown key "${term.key}"; one of ${known}, or "${term.key}:…" in quotes`);
}

function compileSearch({ source, values }: FilterTerm): ParseResult<Test> {
  const [, name = "", sign = "", value = ""] = /^([a-z]+)(==?|>=?|<=?)(.*)$/is.exec(source) ?? [];
  const key = keyNamed(name.toLowerCase());
  if (key !== undefined) {
    const right = `${key.name}:${sign.replace(/^==?$/, "")}${value}`;
    return refused(`a key has a colon: write ${right}, or quote ${describeValue(source)}`);
  }
  return parsed(searchFor(values[0] ?? ""));
}

/** A search without a regular expression: linear, whatever the text. */
function searchFor(text: string): Test {
  const wanted = text.toLowerCase();
  return ({ facts, raw }) =>
    facts.method?.toLowerCase().includes(wanted) === true ||
    facts.tool?.toLowerCase().includes(wanted) === true ||
    raw().toLowerCase().includes(wanted);
}

function compileKey(key: FilterKey, { comparison, values }: FilterTerm): ParseResult<Test> {
  const tests: KeyTest[] = [];
  if (values.some((value) => value === "")) {
    return refused(`a value is missing, such as ${key.example}`);
  }
  for (const value of values) {
    const test = key.compile(value, comparison);
    if (!test.ok) return refused(`${key.name}: ${test.issue}; for example ${key.example}`);
    tests.push(test.value);
  }
  return parsed(({ facts, problems }) => tests.some((test) => test(facts, problems)));
}
