import { resolve } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { type CommentExport, exportComments } from "@idewire/paired-comments";
import { exportFormats, type UnreadableFile } from "@idewire/paired-comments/internal";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { type ActionContext, reportUnreadable } from "./action.ts";
import { writeNamed } from "./named-files.ts";
import { parseWhole, UsageError } from "./usage-error.ts";

/** Exports the comments of a file, or of all readable files. */
export async function exportAll(words: readonly string[], context: ActionContext): Promise<number> {
  const { store, flags, printer } = context;
  const [name = "", path = ""] = words;
  const format = exportFormats.find((each) => each === name);
  if (format === undefined) {
    throw new UsageError(`${name}: expected one of ${exportFormats.join(", ")}`);
  }
  const contextLines = flags.context === undefined ? undefined : parseCount(flags.context);
  const errors: UnreadableFile[] = [];
  const all = store.each((file) => errors.push(file));
  const files = path === "" ? all : [await store.file(path)];
  const exported = await exportComments(files, { format, contextLines });
  for (const { id, filePath } of exported.withheld) {
    printer.fail(line`left out, because it looks like a secret: ${id} of ${filePath}`);
  }
  await writeExport(exported, context);
  reportUnreadable(errors, printer);
  return errors.length === 0 ? ExitCode.Ok : ExitCode.Failed;
}

/**
 * Writes an export to a file, or text to stdout.
 * @throws IdewireError `invalid-argument` for bytes without a file, `file-system`
 */
async function writeExport(
  { content, name }: CommentExport,
  { flags: { output }, io, printer }: ActionContext,
): Promise<void> {
  if (output !== undefined) return writeNamed(resolve(io.cwd, output), content);
  if (typeof content === "string") return printer.text(content);
  throw new IdewireError("invalid-argument", `Parquet is not text: add --output ${name}`);
}

function parseCount(text: string): number {
  const value = parseWhole(text);
  if (value !== undefined && value <= 20) return value;
  throw new UsageError(`--context ${text}: expected a number from 0 to 20`);
}
