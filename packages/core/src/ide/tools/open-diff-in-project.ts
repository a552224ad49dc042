import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { DiffOutcome } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import { takeProjectPaths } from "./common/project-paths.ts";
import { openDiff } from "./open-diff.ts";

/** The arguments in seed 000. */
export interface OpenDiffInProjectArguments {
  readonly old_file_path: string;
  readonly new_file_contents: string;
  /** By default the path as received. */
  readonly tab_name?: string;
}

/** Like `openDiff`, but the path may be relative and the diff's name is optional. */
export const openDiffInProject: IdeTool<OpenDiffInProjectArguments, DiffOutcome> = {
  title: "Open diff",
  description: "Shows a proposed change in the editor and waits for the person's answer",
  input: plainInput<OpenDiffInProjectArguments>({
    old_file_path: { type: "string", description: "Path of the file to change" },
    new_file_contents: { type: "string", description: "The proposed text, whole" },
    tab_name: {
      type: "string",
      optional: true,
      description: "The title of the diff; close_tab takes it",
    },
  }),
  readOnly: true,
  needs: "openDiff",
  run: ({ tab_name, ...args }, context) =>
    takeProjectPaths(openDiff, "old_file_path").run(
      { ...args, tab_name: tab_name ?? args.old_file_path },
      context,
    ),
};
