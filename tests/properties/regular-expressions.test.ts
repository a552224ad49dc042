import { expect, test } from "vitest";
import { collectExpressions } from "../src/expressions/collect.ts";
import { findSlowSearch } from "../src/expressions/growth.ts";

const { expressions, builders } = collectExpressions();
/** The files with expressions that are slower than linear, and the limit of the texts that they match. */
const bounded: Readonly<Record<string, string>> = {
  "cli/src/folder-host/diagnostics/template.ts": "tried on lines of 2,000 units at most",
  "cli/src/folder-host/linter/built-in-matchers.ts":
    "run within a time limit on the lines of a check's output",
  "core/src/secrets/secret-paths.ts": "tried on names of 255 units at most",
  "core/src/markdown/literals.ts": "tried on 4,000 units at most",
  "core/src/markdown/link-tail.ts": "tried after `](`, at which each of them stops",
};

test("every regular expression that ships is linear in its text, or its text is bounded", () => {
  const slow = expressions.flatMap(({ pattern, flags, places }) => {
    const found = findSlowSearch(pattern, flags);
    return found === undefined ? [] : [{ places, expression: `/${pattern}/${flags}`, ...found }];
  });
  const files = Object.keys(bounded);
  const isIn = (file: string) => (place: string) => place.startsWith(`${file}:`);
  expect(
    slow.filter(({ places }) => !places.every((place) => files.some((file) => isIn(file)(place)))),
  ).toEqual([]);
  expect(files.filter((file) => !slow.some(({ places }) => places.some(isIn(file))))).toEqual([]);
});

/** The files that create expressions at run time, and from what. */
const made: Readonly<Record<string, string>> = {
  "cli/src/folder-host/diagnostics/template.ts": "of constants",
  "cli/src/folder-host/linter/matcher-run.ts": "of the person's own, run within a limit",
  "cli/src/folder-host/linter/parse-matchers.ts": "of the person's own, and not run",
  "cli/src/output/foreign.ts": "of constants",
  "cli/src/output/print.ts": "of constants",
  "cli/src/output/wrap.ts": "of constants",
  "core/src/markdown/words.ts": "of constants",
  "core/src/secrets/secret-paths.ts": "of constants",
  "core/src/secrets/secret-patterns.ts": "of constants; core/src/secrets tests each",
  "devtools/src/checks/schema-fault.ts": "of the schemas of a server, and not run",
  "devtools/src/trace/filter/filter.ts": "of the person's own, where the caller has a time limit",
  "devtools/src/trace/filter/find-matches.ts": "of the person's own, in a worker with a time limit",
};

test("no regular expression is built from foreign text", () => {
  expect(builders).toEqual(Object.keys(made));
});
