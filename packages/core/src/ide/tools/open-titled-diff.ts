import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { DiffOutcome } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { readAgentPath } from "./common/agent-path.ts";
import { askAboutDiff } from "./common/ask-about-diff.ts";

/** The arguments of Copilot CLI. */
export interface OpenTitledDiffArguments {
  readonly original_file_path: string;
  readonly new_file_contents: string;
  /** The name of the diff, shown to the person and used by `close_diff`. */
  readonly tab_name: string;
}

/** Proposes another text of a file and waits for the person's answer. */
export const openTitledDiff: IdeTool<OpenTitledDiffArguments, DiffOutcome> = {
  title: "Open diff",
  description: "Shows a proposed change in the editor and waits for the person's answer",
  input: plainInput<OpenTitledDiffArguments>({
    original_file_path: { type: "string", description: "Absolute path of the file to write" },
    new_file_contents: { type: "string", description: "The proposed text, whole" },
    tab_name: { type: "string", description: "The title of the diff; close_diff takes it" },
  }),
  readOnly: true,
  needs: "openDiff",
  run({ original_file_path, new_file_contents: proposed, tab_name: title }, context) {
    const path = readAgentPath("original_file_path", original_file_path, context.platform);
    return askAboutDiff(context, { path, oldPath: path, proposed, title });
  },
};
