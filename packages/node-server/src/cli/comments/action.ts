import { IdewireError } from "@idewire/core";
import type { CommentStore, ListedComment } from "@idewire/paired-comments";
import type { Printer } from "../output/print.ts";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import type { CommentFlags } from "./comment-flags.ts";

export interface ActionContext {
  readonly store: CommentStore;
  /** The workspace, a native path. */
  readonly folder: string;
  readonly printer: Printer;
  readonly flags: CommentFlags;
  readonly io: CliIo;
}

/** Does one thing, and resolves to the exit code. */
export type Action = (words: readonly string[], context: ActionContext) => Promise<number>;

/** Prints a comment where it is now, with the places where it may be. */
export function printComment(
  { comment, place }: ListedComment,
  filePath: string,
  { printer, flags }: Pick<ActionContext, "printer" | "flags">,
): void {
  const { id, tag, text, author } = comment;
  if (flags.json) {
    printer.json({ id, filePath, tag, text, author, ...place });
    return;
  }
  const status = place.status === "exact" ? "" : ` [${place.status}]`;
  const end = place.endLine === undefined ? "" : `-${place.endLine}`;
  printer.print(line`${filePath}:${place.line}${end} ${tag}${status} ${id} ${text}`);
  for (const candidate of place.candidates) {
    const where = `${candidate.filePath ?? filePath}:${candidate.line}`;
    printer.print(line`    perhaps ${where} (${candidate.score}): ${candidate.text}`);
  }
}

export function report(
  { printer, flags }: Pick<ActionContext, "printer" | "flags">,
  value: Readonly<Record<string, string | number>>,
): void {
  if (flags.json) printer.json(value);
  else printer.print(line`${Object.values(value).join(" ")}`);
}

/** The words of an action. @throws IdewireError `invalid-argument` when there are too few */
export function takeWords(
  words: readonly string[],
  usage: string,
  count: number,
): readonly [string, string, string] {
  const [first = "", second = "", third = ""] = words;
  if (words.length >= count) return [first, second, third];
  throw invalid(`usage: idewire comments ${usage}`);
}

export function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", message);
}
