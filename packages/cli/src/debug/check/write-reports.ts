import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type CheckReport, formatCheckJunit, formatCheckSarif } from "@idewire/devtools/checks";
import { fileSystemError } from "@idewire/node-server/internal/files";
import type { CliIo } from "../../process/io.ts";
import { readVersion } from "../../process/version.ts";

/** The forms of a report, as parsed by commander. */
export interface ReportFlags {
  readonly json?: true;
  readonly markdown?: true;
  readonly junit?: string;
  readonly sarif?: string;
}

/** Writes the files of a report. */
export function writeReports(report: CheckReport, flags: ReportFlags, io: CliIo): Promise<void> {
  const tool = { version: readVersion() };
  return writeForms(flags, io, {
    junit: () => formatCheckJunit(report),
    sarif: () => formatCheckSarif(report, tool),
  });
}

/** Writes each file that is wanted, with its text. */
export async function writeForms(
  { junit, sarif }: ReportFlags,
  io: CliIo,
  forms: { readonly junit: () => string; readonly sarif: () => string },
): Promise<void> {
  if (junit !== undefined) await writeText(resolve(io.cwd, junit), forms.junit());
  if (sarif !== undefined) await writeText(resolve(io.cwd, sarif), forms.sarif());
}

/** @throws IdewireError `file-system` */
export async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw fileSystemError("write", file, error);
  }
}
