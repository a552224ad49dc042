import { resolve } from "node:path";
import { CommentError, readExport } from "@idewire/paired-comments";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, explain, report } from "./action.ts";
import { readNamed } from "./named-files.ts";

/** Adds the comments of an export in JSON; a file that fails does not keep the others from it. */
export async function importComments(
  words: readonly string[],
  context: ActionContext,
): Promise<number> {
  const { store, printer, io } = context;
  const [name = ""] = words;
  let code: number = ExitCode.Ok;
  for (const { filePath, document } of readExport(
    await readNamed(resolve(io.cwd, name)),
    Date.now(),
  )) {
    try {
      const { renumbered } = await store.include(document);
      report(context, { imported: filePath, comments: document.comments.length });
      for (const { from, to } of renumbered) report(context, { renumbered: from, to });
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      printer.fail(line`${explain(error)}`);
      code = ExitCode.Failed;
    }
  }
  return code;
}
