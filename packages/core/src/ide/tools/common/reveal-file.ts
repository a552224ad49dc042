import { ToolFailure } from "../../../errors.ts";
import type { PosixPath } from "../../../paths/posix-path.ts";
import type { RevealOptions } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { findRange, type TextRangeQuery } from "../../text-range.ts";
import { demandShared, readAgentPath } from "./agent-path.ts";
import { rememberOpened } from "./shared-documents.ts";

/** Options for showing a file. */
export interface RevealFileOptions extends Omit<RevealOptions, "range"> {
  /** The text to select; nothing is selected if it does not occur. */
  readonly select?: TextRangeQuery;
}

/**
 * Shows a file at the request of an agent.
 * @throws ToolFailure when the file is outside the workspace or not shared
 */
export async function revealFile(
  argument: string,
  text: string,
  context: IdeToolContext,
  { select, ...options }: RevealFileOptions = {},
): Promise<PosixPath> {
  const { host, platform } = context;
  const path = readAgentPath(argument, text, platform);
  demandShared(argument, path, context);
  if (host.reveal === undefined) throw new ToolFailure("This editor cannot show files on request");
  const range = select && findRange(await host.read(path), select);
  await host.reveal(path, { ...options, ...(range && { range }) });
  rememberOpened(path, context);
  return path;
}
