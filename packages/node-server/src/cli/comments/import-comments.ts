import { resolve } from "node:path";
import { CommentError, readExport } from "@idewire/paired-comments";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, report, reportUnreadable } from "./action.ts";
import { readNamed } from "./named-files.ts";

/** Adds the comments of an export in JSON; a file that fails does not keep the others from it. */
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
      report(context, { imported: filePath, comments: document.comments.length });
      for (const { from, to } of renumbered) report(context, { renumbered: from, to });
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      failed.push({ filePath, error });
    }
  }
  reportUnreadable(failed, printer);
  return failed.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}
