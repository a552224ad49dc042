import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, report, reportUnreadable } from "./action.ts";

/** Converts the file of another program, or of an older version, to the current format; all files if none is named. */
export async function migrate(words: readonly string[], context: ActionContext): Promise<number> {
  const { store, printer } = context;
  const { files, errors } =
    words.length > 0
      ? { files: words.map((filePath) => ({ filePath })), errors: [] }
      : await store.all();
  for (const { filePath } of files) {
    if (await store.migrate(filePath)) {
      report(context, { migrated: filePath }, line`Migrated the comments of ${filePath}`);
    }
  }
  reportUnreadable(errors, printer);
  return errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}
