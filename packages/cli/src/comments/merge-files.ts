import { resolve } from "node:path";
import { countOf } from "@idewire/core/internal/base";
import {
  type CommentsDocument,
  type MergedDocument,
  mergeDocuments,
  readDocument,
  writeDocument,
} from "@idewire/paired-comments";
import { commentsSuffix } from "@idewire/paired-comments/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, invalid, report, reportRenumbered } from "./action.ts";
import { readConflict } from "./git-conflict.ts";
import { readNamed, writeNamed } from "./named-files.ts";
import { UsageError } from "./usage-error.ts";

/** `merge <source>` for an existing conflict, `merge %O %A %B %P` as git's merge driver. */
export async function merge(words: readonly string[], context: ActionContext): Promise<number> {
  if (words.length === 2 || words.length > 4) {
    const seen = `${words.length} words`;
    throw new UsageError(`expected a source file, or git's %O %A %B and %P; got ${seen}`);
  }
  const [base = "", ours = "", theirs = "", named = ours] = words;
  if (words.length === 1) {
    const path = base.replace(/\.comments$/, "");
    const sides = await readConflict(context.folder, path);
    const merged = await context.store.mergeConflict(path, sides);
    if (sides === undefined) warnOfMixed(path, context);
    reportMerged(merged, context);
    return ExitCode.Ok;
  }
  const path = named.replace(/\.comments$/, "");
  const read = (name: string) => readSide(resolve(context.io.cwd, name), path);
  const merged = mergeDocuments({
    base: await read(base),
    ours: (await read(ours)) ?? emptyDocument(path),
    theirs: (await read(theirs)) ?? emptyDocument(path),
    nowMs: Date.now(),
  });
  await writeNamed(resolve(context.io.cwd, ours), writeDocument(merged.document));
  reportMerged(merged, context);
  return ExitCode.Ok;
}

/** The file's mixed lines may differ from both sides. */
function warnOfMixed(path: string, { printer }: ActionContext): void {
  const file = path + commentsSuffix;
  printer.fail(
    line`Check all comments of ${path}: git has no versions of ${file} to merge, and has mixed their lines in it. Until the merge is committed, git checkout --merge ${file} restores them: then merge again.`,
  );
}

/** Undefined for an empty file: git passes one for a side without the file. */
async function readSide(file: string, path: string): Promise<CommentsDocument | undefined> {
  const text = await readNamed(file);
  if (text.trim() === "") return undefined;
  const result = readDocument(text, path, Date.now());
  if (result.ok) return result.document;
  const { parseError, suggestion } = result.damage;
  throw invalid(`${path}${commentsSuffix}: ${parseError}. ${suggestion}`);
}

function emptyDocument(filePath: string): CommentsDocument {
  return { filePath, comments: [], ghostMarkers: [], unknown: {} };
}

function reportMerged(merged: MergedDocument, context: ActionContext): void {
  const { document, renumbered, movedByBoth } = merged;
  const { filePath, comments } = document;
  const words = line`Merged ${countOf(comments.length, "comment")} on ${filePath}`;
  report(context, { merged: filePath, comments: comments.length }, words);
  reportRenumbered(renumbered, context);
  for (const { id, theirs } of movedByBoth) {
    const value = { movedByBoth: id, line: theirs.line, text: theirs.text };
    const words = line`${id} was moved on both sides. Ours is kept; theirs is at line ${theirs.line}: ${theirs.text}`;
    report(context, value, words);
  }
}
