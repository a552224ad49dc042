import { resolve } from "node:path";
import { countOf } from "@idewire/core/internal/base";
import { readExport } from "@idewire/paired-comments";
import { CommentError } from "@idewire/paired-comments/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, report, reportRenumbered, reportUnreadable } from "./action.ts";
import { readNamed } from "./named-files.ts";

/** Adds the comments of an export in JSON; a file that fails does not prevent the import of the others. */
export async function importComments(
  words: readonly string[],
  context: ActionContext,
): Promise<number> {
  const { store, printer, io } = context;
  const [name = ""] = words;
  const { files, errors } = readExport(await readNamed(resolve(io.cwd, name)), Date.now());
  const failed = [...errors];
  for (const { filePath, document } of files) {
    try {
      const { renumbered } = await store.include(document);
      const comments = document.comments.length;
      const words = line`Imported ${countOf(comments, "comment")} on ${filePath}`;
      report(context, { imported: filePath, comments }, words);
      reportRenumbered(renumbered, context);
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      failed.push({ filePath, error });
    }
  }
  reportUnreadable(failed, printer);
  return failed.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}
