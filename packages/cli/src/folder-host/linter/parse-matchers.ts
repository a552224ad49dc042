import { exactly, parseJson } from "@idewire/core/internal";
import * as v from "valibot";
import type { ProblemMatcher, ProblemPattern } from "../provider-options.ts";
import { builtInMatchers, matcherAliases } from "./built-in-matchers.ts";

const group = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99)));

const regexp = v.pipe(v.string(), v.check(isRegExp, "expected a regular expression of JavaScript"));

const pattern = exactly<ProblemPattern>()(
  v.object({
    regexp,
    kind: v.exactOptional(v.picklist(["file", "location"])),
    file: group,
    location: group,
    line: group,
    column: group,
    endLine: group,
    endColumn: group,
    severity: group,
    code: group,
    message: group,
    loop: v.exactOptional(v.boolean()),
    between: v.exactOptional(regexp),
  }),
);

const matcher = exactly<ProblemMatcher>()(
  v.object({
    owner: v.exactOptional(v.string()),
    source: v.exactOptional(v.string()),
    severity: v.exactOptional(v.picklist(["error", "warning", "info"])),
    fileLocation: v.exactOptional(v.union([v.string(), v.array(v.string())])),
    pattern: v.union([pattern, v.pipe(v.array(pattern), v.minLength(1))]),
  }),
);

/** The matcher with a name, with or without VS Code's `$`. */
export function namedMatcher(name: string): ProblemMatcher | undefined {
  const plain = name.replace(/^\$/, "");
  const own = Object.hasOwn(matcherAliases, plain) ? matcherAliases[plain] : plain;
  return own !== undefined && Object.hasOwn(builtInMatchers, own)
    ? builtInMatchers[own]
    : undefined;
}

/**
 * Parses JSON text: a matcher, a list of matchers, or an object with `problemMatcher`, as in tasks of VS Code
 * and workflows of GitHub.
 * @throws Error with a message for the person
 */
export function parseMatchers(text: string): readonly ProblemMatcher[] {
  const value: unknown = parseJson(text);
  const inside = (value as { problemMatcher?: unknown } | null)?.problemMatcher ?? value;
  const list = Array.isArray(inside) ? inside : [inside];
  if (list.length === 0) throw new Error("there is no problem matcher in it");
  return list.map((item) => {
    const named = typeof item === "string" ? namedMatcher(item) : undefined;
    if (named !== undefined) return named;
    const read = v.safeParse(matcher, item);
    if (read.success) return read.output;
    const [{ message }] = read.issues;
    throw new Error(`${v.getDotPath(read.issues[0]) ?? "problemMatcher"}: ${message}`);
  });
}

function isRegExp(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
