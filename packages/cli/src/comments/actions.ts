import { authorIn } from "@idewire/node-server/internal/files";
import { parseSearch, searchComments } from "@idewire/paired-comments";
import { type CommentStatus, isOrphan, tagOfText } from "@idewire/paired-comments/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import {
  type Action,
  type ActionContext,
  printComment,
  report,
  reportUnreadable,
  tagOf,
} from "./action.ts";
import { check } from "./check-comments.ts";
import type { CommentAction } from "./comment-flags.ts";
import { exportAll } from "./export-all.ts";
import { fix } from "./fix-orphans.ts";
import { importComments } from "./import-comments.ts";
import { merge } from "./merge-files.ts";
import { migrate } from "./migrate.ts";
import { parseWhole, UsageError } from "./usage-error.ts";

/** By name, without `serve`. */
export const actions: ReadonlyMap<string, Action> = new Map<CommentAction, Action>([
  ["list", list],
  ["show", show],
  ["add", add],
  ["edit", edit],
  ["reply", reply],
  ["resolve", setState("resolved")],
  ["reopen", setState("open")],
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
    if (flags.json) continue;
    for (const { comment, place } of comments) {
      const { id, tag, text } = comment;
      printer.print(line`  ${place.line} ${tag} ${id} ${text}`);
    }
  }
  reportUnreadable(errors, printer);
  return errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

async function show(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path = ""] = words;
  const { comments, filePath } = await store.file(path);
  for (const located of comments) printComment(located, filePath, { printer, flags });
  return ExitCode.Ok;
}

async function add(words: readonly string[], { store, folder, printer, flags, io }: ActionContext) {
  const [place = "", text = ""] = words;
  const { filePath, line: at } = parsePlace(place);
  const tag = tagOf(flags) ?? tagOfText(text);
  const author = flags.author ?? (await authorIn(folder, io.env));
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
  const [path = "", id = "", text = ""] = words;
  const tag = tagOf(flags);
  const { comment } = await store.edit(path, id, { text, ...(tag !== undefined && { tag }) });
  const value = { id: comment.id, updated: comment.updated };
  report({ printer, flags }, value, line`Edited ${comment.id} of ${path}`);
  return ExitCode.Ok;
}

async function reply(
  words: readonly string[],
  { store, folder, printer, flags, io }: ActionContext,
) {
  const [filePath = "", typed = "", text = ""] = words;
  const author = flags.author ?? (await authorIn(folder, io.env));
  const { comment } = await store.reply(filePath, typed, { text, author });
  const { id } = comment;
  report({ printer, flags }, { id, replied: filePath }, line`Replied to ${id} of ${filePath}`);
  return ExitCode.Ok;
}

function setState(status: CommentStatus): Action {
  return async (words, { store, printer, flags }) => {
    const [path = "", id = ""] = words;
    const { comment } = await store.edit(path, id, { status });
    const state = line`${comment.id} of ${path} is ${status}`;
    report({ printer, flags }, { id: comment.id, status }, state);
    return ExitCode.Ok;
  };
}

async function move(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path = "", id = "", place = ""] = words;
  const target = { ...parsePlace(place), quote: flags.quote };
  const { to } = await store.move(path, id, target);
  const at = `${to.filePath}:${to.marker.line}`;
  report({ printer, flags }, { id: to.comment.id, at }, line`Moved ${to.comment.id} to ${at}`);
  return ExitCode.Ok;
}

async function remove(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [path = "", typed = ""] = words;
  const { id } = (await store.remove(path, typed)).comment;
  report({ printer, flags }, { id, deleted: path }, line`Deleted ${id} of ${path}`);
  return ExitCode.Ok;
}

async function search(words: readonly string[], { store, printer, flags }: ActionContext) {
  const [typed = ""] = words;
  const { query, matches } = parseSearch(typed);
  const { author } = flags;
  const tag = tagOf(flags);
  for (const [key, value] of Object.entries({ tag, author })) {
    const isTwice = value !== undefined && Object.hasOwn(query, key);
    if (isTwice) throw new UsageError(`--${key} and ${key}: mean the same; give only one of them`);
  }
  const filter = { ...(author !== undefined && { author }), ...(tag !== undefined && { tag }) };
  const { files, errors } = await store.all();
  const found = searchComments(files, { ...query, ...filter }).filter(matches);
  for (const each of found) printComment(each, each.filePath, { printer, flags });
  if (found.length === 0) printer.fail(line`No comment matches.`);
  reportUnreadable(errors, printer);
  return errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

function parsePlace(place: string): { readonly filePath: string; readonly line: number } {
  const at = place.lastIndexOf(":");
  if (at <= 0) throw new UsageError(`${place}: expected <file>:<line>`);
  return { filePath: place.slice(0, at), line: parseLine(place.slice(at + 1)) };
}

function parseLine(text: string): number {
  const value = parseWhole(text);
  if (value !== undefined && value >= 1) return value;
  throw new UsageError(`${text}: expected a line number of 1 or more`);
}
