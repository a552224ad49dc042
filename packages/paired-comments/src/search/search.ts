import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { CommentTag, PairedComment } from "../format/document.ts";
import type { ListedComment, ListedFile } from "../store/located-comments.ts";
import { globMatcher } from "./glob.ts";

/** The criteria of a search. */
export interface CommentQuery {
  /** A case-insensitive regular expression in the syntax of RE2; empty for all comments. */
  readonly query: string;
  readonly tag?: CommentTag | undefined;
  readonly author?: string | undefined;
  /** A path, or a glob such as `src/**`. */
  readonly filePath?: string | undefined;
  readonly hasAIMetadata?: boolean | undefined;
  /** Creation time, ISO 8601, both ends inclusive. */
  readonly dateRange?: { readonly start?: string; readonly end?: string } | undefined;
}

export interface FoundComment extends ListedComment {
  readonly filePath: string;
}

const longestQuery = 1_000;
const longestGlob = 500;

/**
 * The matching comments, the most relevant first, then by file and line. Takes time linear in the texts, whatever
 * the pattern.
 * @throws IdewireError `invalid-argument` for an invalid pattern, glob or date
 */
export function searchComments(
  files: readonly ListedFile[],
  query: CommentQuery,
): readonly FoundComment[] {
  const score = scorer(query.query);
  const isInFile = fileFilter(query.filePath);
  const isWanted = filterOf(query);
  const found: { readonly score: number; readonly comment: FoundComment }[] = [];
  for (const { filePath, comments } of files) {
    if (!isInFile(filePath)) continue;
    for (const located of comments) {
      if (!isWanted(located)) continue;
      const relevance = score(located.comment);
      if (relevance > 0) found.push({ score: relevance, comment: { ...located, filePath } });
    }
  }
  return found
    .sort((a, b) => b.score - a.score || comparePlaces(a.comment, b.comment))
    .map(({ comment }) => comment);
}

function comparePlaces(a: FoundComment, b: FoundComment): number {
  if (a.filePath !== b.filePath) return a.filePath < b.filePath ? -1 : 1;
  return a.place.line - b.place.line;
}

type Score = (comment: PairedComment) => number;

/** 3 if the text begins with the words, 2 if it matches, 1 if the reasoning or a reply does. */
function scorer(query: string): Score {
  if (query.length > longestQuery) {
    throw invalid(`query: ${query.length} characters are more than ${longestQuery}`);
  }
  const find = finder(query);
  return ({ text, aiMeta, replies = [] }) => {
    const place = find(text);
    if (place >= 0) return place === 0 ? 3 : 2;
    const others = [aiMeta?.reasoning, ...replies.map((reply) => reply.text)];
    return others.some((other) => other !== undefined && find(other) >= 0) ? 1 : 0;
  };
}

/** Finds words by offset, or a pattern as 1; -1 without a match. */
function finder(query: string): (text: string) => number {
  if (!/[\\^$.*+?()[\]{}|]/.test(query)) {
    const wanted = query.toLowerCase();
    return (text) => text.toLowerCase().indexOf(wanted);
  }
  const pattern = compile(query);
  // Testing for a match is much faster than finding its offset.
  return (text) => (pattern.test(text) ? 1 : -1);
}

function compile(query: string): RE2JS {
  try {
    return RE2JS.compile(query, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const named = error.getPattern() ?? "";
    // RE2 reports the whole pattern, with its flags, if it knows no position.
    const construct = named.replace(`(?s)(?i)${query}`, "");
    const place = construct === "" ? -1 : query.indexOf(construct);
    const where = place < 0 ? "" : ` at character ${place + 1}`;
    throw invalid(
      `query: ${error.getDescription()}: ${construct || query}${where}; patterns have the syntax of RE2, without look-around and back-references`,
    );
  }
}

function filterOf(query: CommentQuery): (found: ListedComment) => boolean {
  const { tag, author, hasAIMetadata } = query;
  const isInTime = timeFilter(query.dateRange);
  return ({ comment }) =>
    (tag === undefined || comment.tag === tag) &&
    (author === undefined || comment.author === author) &&
    (hasAIMetadata === undefined || (comment.aiMeta !== undefined) === hasAIMetadata) &&
    isInTime(comment.created);
}

function fileFilter(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  if (glob.length > longestGlob) {
    throw invalid(`filePath: ${glob.length} characters are more than ${longestGlob}`);
  }
  const matches = globMatcher(glob.replace(/^\.\//, ""));
  if (matches !== undefined) return matches;
  throw invalid(
    `filePath: expected a path, or a glob such as src/**/*.ts, got ${describeValue(glob)}`,
  );
}

function timeFilter(
  range: { readonly start?: string; readonly end?: string } | undefined,
): (time: string) => boolean {
  if (range === undefined) return () => true;
  const start = timeOf("start", range.start) ?? Number.NEGATIVE_INFINITY;
  const end = timeOf("end", range.end) ?? Number.POSITIVE_INFINITY;
  if (start > end) throw invalid(`dateRange: start ${range.start} is later than end ${range.end}`);
  return (time) => {
    const at = Date.parse(time);
    return at >= start && at <= end;
  };
}

function timeOf(key: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined;
  const at = Date.parse(time);
  if (/^\d{4}-\d{2}-\d{2}/.test(time) && !Number.isNaN(at)) return at;
  throw invalid(
    `dateRange.${key}: expected a time such as 2025-10-19T15:30:00Z, got ${describeValue(time)}`,
  );
}

function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", message);
}
