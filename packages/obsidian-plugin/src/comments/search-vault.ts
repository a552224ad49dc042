import { type CommentQuery, parseSearch } from "@idewire/paired-comments";
import type { ListedComment, ListedFile, UnreadableFile } from "@idewire/paired-comments/internal";

export interface FoundComment extends ListedComment {
  /** Path of its note. */
  readonly filePath: string;
}

/** The results of a search for comments. */
export interface FoundComments {
  /** By note and line. */
  readonly comments: readonly FoundComment[];
  /** Notes whose comments cannot be read. */
  readonly unreadable: readonly string[];
  /** The error of the typed search. */
  readonly problem?: string;
}

/**
 * Finds comments by a typed search: words, and terms such as `tag:TODO` and `is:orphaned`. Words
 * are matched literally: the patterns of the command need a library that is too large for the plugin.
 */
export async function searchComments(
  all: () => Promise<{
    readonly files: readonly ListedFile[];
    readonly errors: readonly UnreadableFile[];
  }>,
  typed: string,
): Promise<FoundComments> {
  let search: ReturnType<typeof parseSearch>;
  try {
    search = parseSearch(typed);
  } catch (error) {
    return { comments: [], unreadable: [], problem: (error as Error).message };
  }
  const { files, errors } = await all();
  const { query, matches } = search;
  const comments = files.flatMap(({ filePath, comments: located }) =>
    located
      .filter((each) => matches(each) && meetsQuery(each, filePath, query))
      .map((each) => ({ ...each, filePath })),
  );
  return { comments, unreadable: errors.map(({ filePath }) => filePath) };
}

function meetsQuery(
  { comment }: ListedComment,
  path: string,
  { query, tag, author, filePath, dateRange }: CommentQuery,
): boolean {
  const created = Date.parse(comment.created);
  const { start, end } = dateRange ?? {};
  return (
    (tag === undefined || comment.tag === tag) &&
    (author === undefined || has(comment.author, author)) &&
    (filePath === undefined || has(path, filePath.split("*")[0] ?? "")) &&
    (start === undefined || created >= Date.parse(start)) &&
    (end === undefined || created <= Date.parse(end)) &&
    [comment, ...(comment.replies ?? [])].some(({ text }) => has(text, query))
  );
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
