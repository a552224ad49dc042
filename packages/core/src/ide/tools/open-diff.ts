import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { DiffOutcome } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { readAgentPath } from "./common/agent-path.ts";
import { askAboutDiff } from "./common/ask-about-diff.ts";

/** The arguments that Claude Code sends; seed 002 has no `new_file_path`. */
export interface OpenDiffArguments {
  readonly old_file_path: string;
  /** The file to write; `old_file_path` by default. */
  readonly new_file_path?: string;
  readonly new_file_contents: string;
  /** The name of the diff, shown to the person and used by `close_tab`. */
  readonly tab_name: string;
}

/** Proposes a diff and waits for the person's answer. */
export const openDiff: IdeTool<OpenDiffArguments, DiffOutcome> = {
  title: "Open diff",
  description: "Shows a proposed change in the editor and waits for the person's answer",
  input: plainInput<OpenDiffArguments>({
    old_file_path: { type: "string", description: "Absolute path of the file to compare with" },
    new_file_path: {
      type: "string",
      optional: true,
      description: "Absolute path of the file to write",
    },
    new_file_contents: { type: "string", description: "The proposed text, whole" },
    tab_name: { type: "string", description: "The title of the diff; close_tab takes it" },
  }),
  readOnly: true,
  needs: "openDiff",
  async run(args, context) {
    const { platform } = context;
    const oldPath = readAgentPath("old_file_path", args.old_file_path, platform);
    const path =
      args.new_file_path === undefined
        ? oldPath
        : readAgentPath("new_file_path", args.new_file_path, platform);
    const { new_file_contents: proposed, tab_name: title } = args;
    return askAboutDiff(context, { path, oldPath, proposed, title });
  },
};
