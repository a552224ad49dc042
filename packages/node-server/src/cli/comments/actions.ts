import { IdewireError } from "@idewire/core";
import {
  type CommentStore,
  commentTags,
  exportComments,
  exportFormats,
  isCommentTag,
  isOrphan,
  type LocatedComment,
  searchComments,
  tagOfText,
} from "@idewire/paired-comments";
import type { Printer } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import type { CommentAction, CommentFlags } from "./comment-flags.ts";
import { writeExport } from "./write-export.ts";

export interface ActionContext {
  readonly store: CommentStore;
  readonly printer: Printer;
  readonly flags: CommentFlags;
  readonly io: CliIo;
}

/** Does one thing, and resolves to the exit code. */
type Action = (words: readonly string[], context: ActionContext) => Promise<number>;

/** By name; `serve` is none of them. */
export const actions: ReadonlyMap<string, Action> = new Map<CommentAction, Action>([
  ["list", list],
  ["show", show],
  ["add", add],
  ["edit", edit],
  ["resolve", resolve],
  ["move", move],
  ["delete", remove],
  ["search", search],
  ["check", check],
  ["export", exportAll],
]);

async function list(_: readonly string[], { store, printer, flags }: ActionContext) {
  const { files, errors } = await store.all();
  for (const { filePath, comments } of files) {
    const orphans = comments.filter(isOrphan).length;
    if (flags.json) printer.json({ filePath, comments: comments.length, orphans });
    else printer.print(line`${filePath}: ${comments.length}, orphaned ${orphans}`);
  }
  for (const { error } of errors) printer.fail(line`${error.data.filePath}: ${error.message}`);
  return errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

async function show(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path] = take(words, "show <file>", 1);
  const { comments, filePath } = await store.file(path);
  for (const located of comments) print(located, filePath, printer, flags);
  return ExitCode.Ok;
}

async function add(words: readonly string[], { store, printer, flags, io }: ActionContext) {
  const [place, text] = take(words, "add <file>:<line> <text>", 2);
  const { filePath, line: at } = parsePlace(place);
  const tag = flags.tag?.toUpperCase() ?? tagOfText(text);
  if (!isCommentTag(tag)) {
    throw invalid(`--tag ${flags.tag}: expected one of ${commentTags.join(", ")}`);
  }
  const author = flags.author ?? io.env["USER"] ?? "user";
  const endLine = flags.end === undefined ? undefined : parseLine(flags.end);
  const { quote } = flags;
  const { comment, marker } = await store.add({
    filePath,
    line: at,
    endLine,
    text,
    tag,
    author,
    quote,
  });
  if (flags.json) printer.json({ id: comment.id, filePath, line: marker.line });
  else printer.print(line`${comment.id} at ${filePath}:${marker.line}`);
  return ExitCode.Ok;
}

async function edit(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id, text] = take(words, "edit <file> <id> <text>", 3);
  const { comment } = await store.edit(path, id, { text });
  report(printer, flags, { id: comment.id, updated: comment.updated });
  return ExitCode.Ok;
}

async function resolve(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id] = take(words, "resolve <file> <id>", 2);
  const { comment } = await store.edit(path, id, { status: "resolved" });
  report(printer, flags, { id: comment.id, status: "resolved" });
  return ExitCode.Ok;
}

async function move(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id, place] = take(words, "move <file> <id> <file>:<line>", 3);
  const target = { ...parsePlace(place), quote: flags.quote };
  const { to } = await store.move(path, id, target);
  report(printer, flags, { id: to.comment.id, at: `${to.filePath}:${to.marker.line}` });
  return ExitCode.Ok;
}

async function remove(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id] = take(words, "delete <file> <id>", 2);
  await store.remove(path, id);
  report(printer, flags, { id, deleted: path });
  return ExitCode.Ok;
}

async function search(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [query] = take(words, "search <pattern>", 1);
  const { files } = await store.all();
  const tag = flags.tag?.toUpperCase();
  const filter = isCommentTag(tag) ? { tag } : {};
  const found = searchComments(files, { query, author: flags.author, ...filter });
  for (const each of found) print(each, each.filePath, printer, flags);
  return ExitCode.Ok;
}

/** Fails on orphans, on guesses and on files that cannot be read: for CI, and before a commit. */
async function check(_: readonly string[], { store, printer, flags }: ActionContext) {
  const { files, errors } = await store.all();
  const lost = files.flatMap(({ filePath, comments }) =>
    comments
      .filter(({ place }) => place.status === "orphaned" || place.status === "ambiguous")
      .map((located) => ({ filePath, located })),
  );
  for (const { filePath, located } of lost) print(located, filePath, printer, flags);
  for (const { error } of errors) printer.fail(line`${error.data.filePath}: ${error.message}`);
  return lost.length + errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

async function exportAll(words: readonly string[], { store, flags, io, printer }: ActionContext) {
  const [name, path] = take(words, "export <format> [file]", 1);
  const format = exportFormats.find((each) => each === name);
  if (format === undefined) {
    throw invalid(`${name}: expected one of ${exportFormats.join(", ")}`);
  }
  const files = path === undefined ? (await store.all()).files : [await store.file(path)];
  const contextLines = flags.context === undefined ? undefined : parseCount(flags.context);
  const exported = await exportComments(files, { format, contextLines });
  for (const { id, filePath } of exported.withheld) {
    printer.fail(line`left out, because it looks like a secret: ${id} of ${filePath}`);
  }
  await writeExport(exported, flags.output, io);
  return ExitCode.Ok;
}

function print(
  { comment, place }: LocatedComment,
  filePath: string,
  printer: Printer,
  flags: CommentFlags,
): void {
  const { id, tag, text, author } = comment;
  if (flags.json) {
    printer.json({ id, filePath, tag, text, author, ...place });
    return;
  }
  const status = place.status === "exact" ? "" : ` [${place.status}]`;
  printer.print(line`${filePath}:${place.line} ${tag}${status} ${id} ${text}`);
  for (const candidate of place.candidates) {
    printer.print(line`    perhaps line ${candidate.line} (${candidate.score}): ${candidate.text}`);
  }
}

function report(printer: Printer, { json }: CommentFlags, value: Readonly<Record<string, string>>) {
  if (json) printer.json(value);
  else printer.print(line`${Object.values(value).join(" ")}`);
}

/** The words of an action. @throws IdewireError `invalid-argument` when there are too few */
function take(
  words: readonly string[],
  usage: string,
  count: number,
): readonly [string, string, string] {
  const [first = "", second = "", third = ""] = words;
  if (words.length >= count) return [first, second, third];
  throw invalid(`usage: idewire comments ${usage}`);
}

function parsePlace(place: string): { readonly filePath: string; readonly line: number } {
  const at = place.lastIndexOf(":");
  if (at <= 0) throw invalid(`${place}: expected <file>:<line>`);
  return { filePath: place.slice(0, at), line: parseLine(place.slice(at + 1)) };
}

function parseLine(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalid(`${text}: expected a line number from 1 on`);
}

function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && value <= 20) return value;
  throw invalid(`--context ${text}: expected a number from 0 to 20`);
}

function invalid(message: string): IdewireError {
  return new IdewireError("invalid-argument", message);
}
