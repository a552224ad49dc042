import { ToolFailure } from "../../errors.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { IdeTool, IdeToolContext } from "../ide-tool.ts";
import { revealFile } from "./common/reveal-file.ts";

export interface OpenFilesArguments {
  readonly file_paths: readonly string[];
}

/** Shows several files, the last in front; returns those that could be shown. */
export const openFiles: IdeTool<OpenFilesArguments, readonly PosixPath[]> = {
  title: "Open files",
  description: "Opens several files in the editor",
  input: plainInput<OpenFilesArguments>({
    file_paths: {
      type: "array",
      items: { type: "string" },
      description: "Absolute paths of the files",
    },
  }),
  readOnly: true,
  needs: "reveal",
  async run({ file_paths }, context) {
    const opened: PosixPath[] = [];
    for (const [index, text] of file_paths.entries()) {
      if (context.call.aborted) break;
      const path = await open(text, index < file_paths.length - 1, context);
      if (path !== undefined) opened.push(path);
    }
    return opened;
  },
};

async function open(
  text: string,
  preserveFocus: boolean,
  context: IdeToolContext,
): Promise<PosixPath | undefined> {
  try {
    return await revealFile("file_paths", text, context, { preserveFocus });
  } catch (error) {
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}
