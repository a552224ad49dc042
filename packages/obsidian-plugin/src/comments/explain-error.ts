import { CommentError } from "@idewire/paired-comments/internal";

/** The error and its remedy, for the person. */
export function explainError(error: unknown): string {
  if (!(error instanceof CommentError)) return (error as Error).message;
  const { parseError, line, column, suggestion } = error.data;
  const what = typeof parseError === "string" ? parseError : error.message;
  const isPlaced = typeof line === "number" && typeof column === "number";
  return `${what}${isPlaced ? ` (${line}:${column})` : ""}. ${suggestion}`;
}

/** Whether it is the file of comments itself that cannot be read. */
export function isDamaged(error: unknown): boolean {
  return error instanceof CommentError && error.name === "CommentFileCorrupted";
}
