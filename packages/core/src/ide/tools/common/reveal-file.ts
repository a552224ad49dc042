import { ToolFailure } from "../../../errors.ts";
import type { PosixPath } from "../../../paths/posix-path.ts";
import type { RevealOptions } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { findRange, type TextRangeQuery } from "../../text-range.ts";
import { demandShared, readAgentPath } from "./agent-path.ts";

/** How a file is shown. */
export interface RevealFileOptions extends Omit<RevealOptions, "range"> {
  /** What to select; a text that is not there selects nothing. */
  readonly select?: TextRangeQuery;
}

/**
 * Shows the file that an agent names.
 * @throws ToolFailure when it is no file of the workspace, or not to be shared
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
  if (host.reveal === undefined) throw new ToolFailure("This editor cannot be told to show a file");
  const range = select && findRange(await host.read(path), select);
  await host.reveal(path, { ...options, ...(range && { range }) });
  return path;
}
