import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { Range } from "../../text/position.ts";
import type { IdeTool } from "../ide-tool.ts";
import { selectInFile } from "./common/select-in-file.ts";

export interface SetSelectionArguments {
  /** The active document by default. */
  readonly file_path?: string;
  /** 0-based, in UTF-16 units. */
  readonly range: Range;
}

const number = { type: "number" } as const;
const position = { type: "object", properties: { line: number, character: number } } as const;

/** Selects a range of a document. */
export const setSelection: IdeTool<SetSelectionArguments, void> = {
  title: "Set selection",
  description: "Selects a range of a file",
  input: plainInput<SetSelectionArguments>({
    file_path: {
      type: "string",
      optional: true,
      description: "Path of the file; by default the active one",
    },
    range: {
      type: "object",
      properties: { start: position, end: position },
      description: "0-based lines and characters, in UTF-16 units",
    },
  }),
  readOnly: true,
  needs: "select",
  run: ({ file_path, range }, context) => selectInFile(file_path, range, context),
};
