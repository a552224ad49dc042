import { IdewireError } from "@idewire/core/rpc";
import type { CommentStore, MergedDocument } from "@idewire/paired-comments";
import {
  CommentError,
  type CommentTag,
  commentTags,
  describeError,
  isCommentTag,
  type ListedComment,
  type UnreadableFile,
} from "@idewire/paired-comments/internal";
import type { Printer } from "../output/print.ts";
import { line, type Printable } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import type { CommentFlags } from "./comment-flags.ts";
import { UsageError } from "./usage-error.ts";

export interface ActionContext {
  readonly store: CommentStore;
  /** The workspace, a native path. */
  readonly folder: string;
  readonly printer: Printer;
  readonly flags: CommentFlags;
  readonly io: CliIo;
}

/** Runs a subcommand; resolves to the exit code. */
export type Action = (words: readonly string[], context: ActionContext) => Promise<number>;

/** Prints a comment with its current place, its replies and the candidates for its place. */
export function printComment(
  { comment, place }: ListedComment,
  filePath: string,
  { printer, flags }: Pick<ActionContext, "printer" | "flags">,
): void {
  const { id, tag, text, author, created, status: state = "open", replies = [] } = comment;
  if (flags.json) {
    printer.json({ id, filePath, tag, text, author, created, state, replies, ...place });
    return;
  }
  const notes = [state === "open" ? "" : state, place.status === "exact" ? "" : place.status];
  const status = notes.map((note) => (note === "" ? "" : ` [${note}]`)).join("");
  const end = place.endLine === undefined ? "" : `-${place.endLine}`;
  printer.print(line`${filePath}:${place.line}${end} ${tag}${status} ${id} ${author}: ${text}`);
  for (const reply of replies) printer.print(line`    ${reply.author}: ${reply.text}`);
  for (const candidate of place.candidates) {
    printer.print(line`    ${describeCandidate(candidate, filePath)}`);
  }
}

/** A candidate for a comment's place; `filePath` is its former file. */
export function describeCandidate(
  { filePath: elsewhere, line: at, score, text }: ListedComment["place"]["candidates"][number],
  filePath: string,
): Printable {
  return line`perhaps ${elsewhere ?? filePath}:${at} (${score}): ${text}`;
}

/** Reports the files of comments that cannot be read, and why. */
export function reportUnreadable(
  errors: readonly UnreadableFile[],
  { fail }: Pick<Printer, "fail">,
): void {
  for (const { error } of errors) fail(line`${explain(error)}`);
}

/** Explains an error, with the remedy at the command line. */
export function explain(error: CommentError): string {
  if (error.name !== "CommentNotFound") return describeError(error);
  const { suggestion: _, ...data } = error.data;
  const suggestion = "idewire comments show <file> lists the ids of its comments";
  return describeError(new CommentError(error.name, { ...data, suggestion }, error.message));
}

/** Reports the result: a value for programs, a text for people. */
export function report(
  { printer, flags }: Pick<ActionContext, "printer" | "flags">,
  value: Readonly<Record<string, string | number>>,
  words: Printable,
): void {
  if (flags.json) printer.json(value);
  else printer.print(words);
}

/** Reports the comments with a new id, because another comment has theirs. */
export function reportRenumbered(
  renumbered: MergedDocument["renumbered"],
  context: Pick<ActionContext, "printer" | "flags">,
): void {
  for (const { from, to } of renumbered) {
    report(
      context,
      { renumbered: from, to },
      line`${from} is now ${to}: another comment has its id`,
    );
  }
}

/**
 * The value of `--tag`.
 * @throws UsageError
 */
export function tagOf({ tag }: CommentFlags): CommentTag | undefined {
  const name = tag?.toUpperCase();
  if (name === undefined || isCommentTag(name)) return name;
  throw new UsageError(`--tag ${tag}: expected one of ${commentTags.join(", ")}`);
}

export function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", message);
}
