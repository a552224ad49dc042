import type { OpenDocument } from "../editor-host.ts";
import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";
import { sharedDocuments } from "./common/shared-documents.ts";

/** The open documents, as far as they are shared. */
export const listOpenDocuments: IdeTool<NoArguments, readonly OpenDocument[]> = {
  title: "List open documents",
  description: "Lists the documents that are open in the editor",
  input: noInput,
  readOnly: true,
  run: async (_, context) => sharedDocuments(context),
};
