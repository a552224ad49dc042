import { type ParseResult, parsed, refused } from "@idewire/core";
import type { ProblemLayer } from "../problems/problem-layer.ts";
import type { FrameFacts } from "../rows/frame-facts.ts";
import { type FilterKey, filterKeys, type KeyTest } from "./keys.ts";
import { type FilterTerm, splitTerms } from "./terms.ts";

/** What a filter is applied to. */
export interface FilterSubject {
  readonly facts: FrameFacts;
  /** The text of the frame; called only when a term searches it. */
  readonly raw: () => string;
  /** The layers in which it has problems; none when it was not checked. */
  readonly problems?: () => readonly ProblemLayer[];
}

/** A parsed filter. */
export interface Filter {
  readonly source: string;
  /** The source has no term, so every frame passes. */
  readonly isEmpty: boolean;
  /** Whether a term asks for problems, which are found after the frame has arrived. */
  readonly asksProblems: boolean;
  matches(subject: FilterSubject): boolean;
}

/**
 * Parses the filter language: terms separated by spaces, all of which must hold.
 *
 * `dir:out` (from the editor) or `dir:in`, `kind:request`, `method:tools/*`, `tool:openDiff`,
 * `id:7`, `status:error`, `code:-32601`, `duration:>500ms`, `size:>=2kB`, `n:>100`, `t:<5s`, `ch:c1`,
 * `fault:any`, `problem:any`; several values with commas; `*` stands for any text; `-` in front turns a term
 * around; anything else is searched for in the frame, ignoring letter case.
 *
 * @returns the filter, or what is wrong and what would be valid
 */
export function parseFilter(source: string): ParseResult<Filter> {
  const terms = splitTerms(source);
  if (!terms.ok) return terms;
  const tests: ((subject: FilterSubject) => boolean)[] = [];
  for (const term of terms.value) {
    const test = compileTerm(term);
    if (!test.ok) return test;
    const { negated } = term;
    tests.push((subject) => test.value(subject) !== negated);
  }
  return parsed({
    source,
    isEmpty: tests.length === 0,
    asksProblems: terms.value.some(({ key }) => key === "problem"),
    matches: (subject) => tests.every((test) => test(subject)),
  });
}

function compileTerm(term: FilterTerm): ParseResult<(subject: FilterSubject) => boolean> {
  if (term.key === undefined) return parsed(searchFor(term.values[0] ?? ""));
  const key = filterKeys.find(({ name, aliases }) => {
    return name === term.key || aliases?.includes(term.key ?? "") === true;
  });
  if (key === undefined) {
    const known = filterKeys.map(({ name }) => name).join(", ");
    return refused(`unknown key "${term.key}"; one of ${known}, or "${term.key}:…" in quotes`);
  }
  return compileKey(key, term);
}

/** A search without a regular expression: linear, whatever the text. */
function searchFor(text: string): (subject: FilterSubject) => boolean {
  const wanted = text.toLowerCase();
  return ({ facts, raw }) =>
    facts.method?.toLowerCase().includes(wanted) === true ||
    facts.tool?.toLowerCase().includes(wanted) === true ||
    raw().toLowerCase().includes(wanted);
}

function compileKey(
  key: FilterKey,
  { comparison, values }: FilterTerm,
): ParseResult<(subject: FilterSubject) => boolean> {
  const tests: KeyTest[] = [];
  if (values.some((value) => value === "")) {
    return refused(`"${key.name}:" needs a value: ${key.example}`);
  }
  for (const value of values) {
    const test = key.compile(value, comparison);
    if (!test.ok) return refused(`${key.name}: ${test.issue}; for example ${key.example}`);
    tests.push(test.value);
  }
  return parsed(({ facts, problems }) => tests.some((test) => test(facts, problems)));
}
