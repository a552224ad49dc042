import {
  commentTags,
  exportComments,
  exportFormats,
  isCommentTag,
  isOrphan,
  parseSearch,
  searchComments,
  tagOfText,
} from "@idewire/paired-comments";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import {
  type Action,
  type ActionContext,
  invalid,
  printComment,
  report,
  takeWords,
} from "./action.ts";
import { check } from "./check-comments.ts";
import type { CommentAction } from "./comment-flags.ts";
import { fix } from "./fix-orphans.ts";
import { importComments } from "./import-comments.ts";
import { merge } from "./merge-files.ts";
import { migrate } from "./migrate.ts";
import { writeExport } from "./write-export.ts";

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
  ["fix", fix],
  ["export", exportAll],
  ["import", importComments],
  ["migrate", migrate],
  ["merge", merge],
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
  const [path] = takeWords(words, "show <file>", 1);
  const { comments, filePath } = await store.file(path);
  for (const located of comments) printComment(located, filePath, { printer, flags });
  return ExitCode.Ok;
}

async function add(words: readonly string[], { store, printer, flags, io }: ActionContext) {
  const [place, text] = takeWords(words, "add <file>:<line> <text>", 2);
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
  const [path, id, text] = takeWords(words, "edit <file> <id> <text>", 3);
  const { comment } = await store.edit(path, id, { text });
  report({ printer, flags }, { id: comment.id, updated: comment.updated });
  return ExitCode.Ok;
}

async function resolve(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id] = takeWords(words, "resolve <file> <id>", 2);
  const { comment } = await store.edit(path, id, { status: "resolved" });
  report({ printer, flags }, { id: comment.id, status: "resolved" });
  return ExitCode.Ok;
}

async function move(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id, place] = takeWords(words, "move <file> <id> <file>:<line>", 3);
  const target = { ...parsePlace(place), quote: flags.quote };
  const { to } = await store.move(path, id, target);
  report({ printer, flags }, { id: to.comment.id, at: `${to.filePath}:${to.marker.line}` });
  return ExitCode.Ok;
}

async function remove(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path, id] = takeWords(words, "delete <file> <id>", 2);
  await store.remove(path, id);
  report({ printer, flags }, { id, deleted: path });
  return ExitCode.Ok;
}

async function search(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [typed] = takeWords(words, "search <words>", 1);
  const { query, matches } = parseSearch(typed);
  const { files } = await store.all();
  const tag = flags.tag?.toUpperCase();
  const author = flags.author === undefined ? {} : { author: flags.author };
  const filter = { ...author, ...(isCommentTag(tag) && { tag }) };
  const found = searchComments(files, { ...query, ...filter }).filter(matches);
  for (const each of found) printComment(each, each.filePath, { printer, flags });
  return ExitCode.Ok;
}

async function exportAll(words: readonly string[], { store, flags, io, printer }: ActionContext) {
  const [name, path] = takeWords(words, "export <format> [file]", 1);
  const format = exportFormats.find((each) => each === name);
  if (format === undefined) {
    throw invalid(`${name}: expected one of ${exportFormats.join(", ")}`);
  }
  const files = path === "" ? store.each() : [await store.file(path)];
  const contextLines = flags.context === undefined ? undefined : parseCount(flags.context);
  const exported = await exportComments(files, { format, contextLines });
  for (const { id, filePath } of exported.withheld) {
    printer.fail(line`left out, because it looks like a secret: ${id} of ${filePath}`);
  }
  await writeExport(exported, flags.output, io);
  return ExitCode.Ok;
}

function parsePlace(place: string): { readonly filePath: string; readonly line: number } {
  const at = place.lastIndexOf(":");
  if (at <= 0) throw invalid(`${place}: expected <file>:<line>`);
  return { filePath: place.slice(0, at), line: parseLine(place.slice(at + 1)) };
}

function parseLine(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw invalid(`${text}: expected a line number of 1 or more`);
}

function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && value <= 20) return value;
  throw invalid(`--context ${text}: expected a number from 0 to 20`);
}
