import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { IdeTool } from "../ide-tool.ts";
import { revealFile } from "./common/reveal-file.ts";

export interface OpenFilePathArguments {
  readonly file_path: string;
}

/** Shows a file: the simple form of `openFile`. */
export const openFilePath: IdeTool<OpenFilePathArguments, PosixPath> = {
  title: "Open file",
  description: "Opens a file in the editor",
  input: plainInput<OpenFilePathArguments>({
    file_path: { type: "string", description: "Path of the file" },
  }),
  readOnly: true,
  needs: "reveal",
  run: ({ file_path }, context) => revealFile("file_path", file_path, context),
};
