import { ToolFailure } from "../../errors.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import { describePath } from "../../text/describe-value.ts";
import type { IdeTool } from "../ide-tool.ts";
import { mayShare } from "../share-policy.ts";
import { demandDocument } from "./common/shared-documents.ts";

export interface SaveDocumentArguments {
  readonly filePath: string;
}

/**
 * Saves an open document. Anyone can read the saved file, so this requires the share level of unsaved
 * text.
 */
export const saveDocument: IdeTool<SaveDocumentArguments, PosixPath> = {
  title: "Save document",
  description: "Saves an open document that has unsaved text",
  input: plainInput<SaveDocumentArguments>({
    filePath: { type: "string", description: "Absolute path of the document" },
  }),
  readOnly: false,
  needs: "save",
  async run({ filePath }, context) {
    const { path, dirty } = demandDocument("filePath", filePath, context);
    if (dirty && !mayShare(context.session.share, "all", path)) {
      throw new ToolFailure(`${describePath(filePath)} has unsaved text, which is not shared`);
    }
    const outcome = await context.host.save?.(path);
    if (outcome?.saved !== true) {
      throw new ToolFailure(outcome?.message ?? `${describePath(filePath)} could not be saved`);
    }
    return path;
  },
};
