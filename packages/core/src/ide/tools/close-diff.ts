import { plainInput } from "../../mcp/schemas/plain-input.ts";
import { comparisonKey, type Platform, toPosixPath } from "../../paths/posix-path.ts";
import type { DiffRequest } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";

/** The arguments of Gemini CLI. */
export interface CloseDiffArguments {
  readonly filePath: string;
  /** Whether the agent wants no notification; none is sent in any case. */
  readonly suppressNotification?: boolean;
}

/** Closes the session's diff of a file; the text as the person has left it, if there is one. */
export const closeDiff: IdeTool<CloseDiffArguments, string | undefined> = {
  title: "Close diff",
  description: "Closes the diff of a file, and returns its text",
  input: plainInput<CloseDiffArguments>({
    filePath: { type: "string", description: "Absolute path of the file" },
    suppressNotification: { type: "boolean", optional: true, description: "Has no effect" },
  }),
  readOnly: false,
  needs: "openDiff",
  async run({ filePath }, { session, platform }) {
    const closed = await session.diffs.closeThose(isOfFile(filePath, platform));
    return closed.find(({ text }) => text !== undefined)?.text;
  },
};

/** Whether a diff is of the file that an agent names. */
export function isOfFile(filePath: string, platform: Platform): (request: DiffRequest) => boolean {
  const named = toPosixPath(filePath, platform);
  if (!named.ok) return () => false;
  const key = comparisonKey(named.value, platform);
  return ({ path }) => comparisonKey(path, platform) === key;
}
