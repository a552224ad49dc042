import { ToolFailure } from "../../../errors.ts";
import type { PosixPath } from "../../../paths/posix-path.ts";
import type { Position, Range } from "../../../text/position.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { mayShare } from "../../share-policy.ts";
import { demandShared, readAgentPath } from "./agent-path.ts";

/**
 * Selects a range of a file at the request of an agent; by default of the active document.
 * @throws ToolFailure when the file does not exist or does not have the range
 */
export async function selectInFile(
  text: string | undefined,
  range: Range,
  context: IdeToolContext,
): Promise<void> {
  const { host } = context;
  demandPosition("start", range.start);
  demandPosition("end", range.end);
  const path = text === undefined ? activePath(context) : readFilePath(text, context);
  if (host.select === undefined) throw new ToolFailure("This editor cannot select text on request");
  await host.select(path, range);
}

function readFilePath(text: string, context: IdeToolContext): PosixPath {
  const path = readAgentPath("file_path", text, context.platform);
  demandShared("file_path", path, context);
  return path;
}

/** Only if it is shared: a failure for an invalid range reveals the length of its lines. */
function activePath({ host, session }: IdeToolContext): PosixPath {
  const active = host.documents().find((document) => document.active);
  const isKnown = active !== undefined && mayShare(session.share, "path", active.path);
  if (!isKnown) throw new ToolFailure("No document is active; name one by file_path");
  return active.path;
}

function demandPosition(where: string, { line, character }: Position): void {
  const isWhole = Number.isSafeInteger(line) && Number.isSafeInteger(character);
  if (isWhole && line >= 0 && character >= 0) return;
  throw new ToolFailure(`${where}: ${line}:${character} is not a 0-based line and column`);
}
