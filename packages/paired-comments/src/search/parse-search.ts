import { IdewireError } from "@idewire/core/rpc";
import { commentStatuses, commentTags } from "../format/document.ts";
import type { ListedComment } from "../store/located-comments.ts";
import type { CommentQuery } from "./search.ts";

/** A typed search for comments. */
export interface TypedSearch {
  /** From words and terms with values. */
  readonly query: CommentQuery;
  /** Whether a comment meets the `is:` and `has:` terms. */
  readonly matches: (found: ListedComment) => boolean;
}

type Test = (found: ListedComment) => boolean;

const state = (wanted: string): Test => {
  return ({ comment }) => (comment.status ?? "open") === wanted;
};
const place = (wanted: string): Test => {
  return (found) => found.place.status === wanted;
};

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...commentStatuses.map((word) => [`is:${word}`, state(word)] as const),
  ...["exact", "moved", "edited", "ambiguous", "orphaned"].map(
    (word) => [`is:${word}`, place(word)] as const,
  ),
  ["is:range", (found) => found.place.endLine !== undefined],
  ["has:ai", ({ comment }) => comment.aiMeta !== undefined],
  ["has:replies", ({ comment }) => (comment.replies?.length ?? 0) > 0],
]);

/** A term, consisting of a key and a value that may be quoted; or a word. */
const term = /(-?)(?:(tag|author|file|created|is|has):)?("[^"]*"|\S+)/g;

/**
 * Parses a typed search: a phrase or a pattern, and terms such as `tag:TODO`, `author:ann`, `file:src/**`,
 * `created:>2025-10-01`, `is:orphaned`, `has:replies`; `-is:resolved` excludes. All terms must match; a tag, an
 * author and a file can be given once.
 * @throws IdewireError `invalid-argument` with the wrong term and the allowed values
 */
export function parseSearch(typed: string): TypedSearch {
  const words: string[] = [];
  const wanted: Test[] = [];
  const given = new Set<string | undefined>();
  let query: CommentQuery = { query: "" };
  for (const [whole, minus = "", key, quoted = ""] of typed.matchAll(term)) {
    const value = quoted.replace(/^"(.*)"$/, "$1");
    if (key === undefined) words.push(minus + value);
    else if (key === "is" || key === "has") wanted.push(testOf(key, value, minus === "-"));
    else if (minus === "-") throw invalid(whole, "only is: and has: can be excluded");
    else if (key === "created") {
      query = { ...query, dateRange: rangeOf(value, whole, query.dateRange) };
    } else if (given.has(key)) throw invalid(whole, `${key}: can be given once`);
    else query = { ...query, ...filterOf(key, value, whole) };
    given.add(key);
  }
  return {
    query: { ...query, query: words.join(" ") },
    matches: (found) => wanted.every((test) => test(found)),
  };
}

function testOf(key: string, value: string, isInverse: boolean): Test {
  const test = tests.get(`${key}:${value.toLowerCase()}`);
  if (test === undefined) {
    const all = [...tests.keys()].filter((name) => name.startsWith(`${key}:`));
    throw invalid(`${key}:${value}`, `expected one of ${all.join(", ")}`);
  }
  return isInverse ? (found) => !test(found) : test;
}

function filterOf(key: string, value: string, whole: string): Partial<CommentQuery> {
  if (key === "author") return { author: value };
  if (key === "file") return { filePath: value };
  const tag = commentTags.find((each) => each === value.toUpperCase());
  if (tag === undefined) throw invalid(whole, `expected one of ${commentTags.join(", ")}`);
  return { tag };
}

type DateRange = NonNullable<CommentQuery["dateRange"]>;

/** The range of a day, or of all days before or after it, intersected with a known range. */
function rangeOf(value: string, whole: string, known: DateRange = {}): DateRange {
  const [, sign, day = ""] = /^([<>]?)(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  if (day === "" || Number.isNaN(Date.parse(day))) {
    throw invalid(whole, "expected a day, such as created:2025-10-01, created:>2025-10-01");
  }
  const first = `${day}T00:00:00.000Z`;
  const last = `${day}T23:59:59.999Z`;
  let { start = "", end = "9" } = known;
  // ISO 8601 texts sort by time.
  const from = sign === ">" ? last : first;
  const to = sign === "<" ? first : last;
  if (sign !== "<" && from > start) start = from;
  if (sign !== ">" && to < end) end = to;
  if (start > end) throw invalid(whole, "no day matches all created: terms");
  return { ...(start !== "" && { start }), ...(end !== "9" && { end }) };
}

function invalid(whole: string, expected: string): IdewireError {
  return new IdewireError("invalid-argument", `${whole}: ${expected}`);
}
