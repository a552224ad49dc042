import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { IdeTool } from "../ide-tool.ts";
import { selectInFile } from "./common/select-in-file.ts";

export interface SetCursorPositionArguments {
  /** The active document by default. */
  readonly file_path?: string;
  /** 0-based. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly column: number;
}

/** Moves the cursor in a document. */
export const setCursorPosition: IdeTool<SetCursorPositionArguments, void> = {
  title: "Set cursor position",
  description: "Puts the cursor at a line and column of a file",
  input: plainInput<SetCursorPositionArguments>({
    file_path: {
      type: "string",
      optional: true,
      description: "Path of the file; by default the active one",
    },
    line: { type: "number", description: "0-based line" },
    column: { type: "number", description: "0-based column in UTF-16 units" },
  }),
  readOnly: true,
  needs: "select",
  run({ file_path, line, column }, context) {
    const position = { line, character: column };
    return selectInFile(file_path, { start: position, end: position }, context);
  },
};
