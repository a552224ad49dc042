import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { OpenDocument } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { demandDocument } from "./common/shared-documents.ts";

export interface CheckDocumentDirtyArguments {
  readonly filePath: string;
}

const schema = exactly<CheckDocumentDirtyArguments>()(
  v.object({ filePath: v.pipe(v.string(), v.description("Absolute path of the document")) }),
);

/** Returns the state of an open document. */
export const checkDocumentDirty: IdeTool<CheckDocumentDirtyArguments, OpenDocument> = {
  title: "Check document",
  description: "Tells whether an open document has unsaved text",
  input: plainInput(schema),
  readOnly: true,
  run: async ({ filePath }, context) => demandDocument("filePath", filePath, context),
};
