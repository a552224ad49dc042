import { ToolFailure } from "../../errors.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { IdeTool, IdeToolContext } from "../ide-tool.ts";
import { demandShared, readAgentPath } from "./common/agent-path.ts";

export interface ReformatFileArguments {
  readonly file_path: string;
}

/** Formats a file with the editor's formatter; returns whether the file exists. */
export const reformatFile: IdeTool<ReformatFileArguments, boolean> = {
  title: "Reformat file",
  description: "Formats a file with the editor's own formatter",
  input: plainInput<ReformatFileArguments>({
    file_path: { type: "string", description: "Absolute path of the file" },
  }),
  readOnly: false,
  needs: "format",
  async run({ file_path }, context) {
    const path = await findFile(file_path, context);
    if (path === undefined) return false;
    if (context.host.format === undefined) throw new ToolFailure("This editor cannot format files");
    await context.host.format(path);
    return true;
  },
};

/** A path from an agent, if it is a shared text file in the workspace. */
async function findFile(text: string, context: IdeToolContext): Promise<PosixPath | undefined> {
  try {
    const path = readAgentPath("file_path", text, context.platform);
    demandShared("file_path", path, context);
    await context.host.read(path);
    return path;
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}
