import * as v from "valibot";
import { exactly } from "../../exactly.ts";
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

const position = v.object({ line: v.number(), character: v.number() });

const schema = exactly<SetSelectionArguments>()(
  v.object({
    file_path: v.exactOptional(
      v.pipe(v.string(), v.description("Path of the file; by default the active one")),
    ),
    range: v.pipe(
      v.object({ start: position, end: position }),
      v.description("0-based lines and characters, in UTF-16 units"),
    ),
  }),
);

/** Selects a range of a document. */
export const setSelection: IdeTool<SetSelectionArguments, void> = {
  title: "Set selection",
  description: "Selects a range of a file",
  input: plainInput(schema),
  readOnly: true,
  needs: "select",
  run: ({ file_path, range }, context) => selectInFile(file_path, range, context),
};
