import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { OpenDocument } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { demandDocument } from "./common/shared-documents.ts";

export interface CheckDocumentDirtyArguments {
  readonly filePath: string;
}

/** Returns the state of an open document. */
export const checkDocumentDirty: IdeTool<CheckDocumentDirtyArguments, OpenDocument> = {
  title: "Check document",
  description: "Tells whether an open document has unsaved text",
  input: plainInput<CheckDocumentDirtyArguments>({
    filePath: { type: "string", description: "Absolute path of the document" },
  }),
  readOnly: true,
  run: async ({ filePath }, context) => demandDocument("filePath", filePath, context),
};
