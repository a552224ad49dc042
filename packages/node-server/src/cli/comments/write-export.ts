import { resolve } from "node:path";
import { IdewireError } from "@idewire/core";
import type { CommentExport } from "@idewire/paired-comments";
import { printPage } from "../output/print.ts";
import type { CliIo } from "../process/io.ts";
import { writeNamed } from "./named-files.ts";

/**
 * Writes an export to a file, or text to stdout.
 * @throws IdewireError `invalid-argument` for bytes without a file, `file-system`
 */
export async function writeExport(
  { content, name }: CommentExport,
  output: string | undefined,
  { cwd, stdout }: CliIo,
): Promise<void> {
  if (output !== undefined) return writeNamed(resolve(cwd, output), content);
  if (typeof content === "string") return printPage(stdout, content);
  throw new IdewireError("invalid-argument", `Parquet is not text: add --output ${name}`);
}
