import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { IdeTool } from "../ide-tool.ts";

export interface CloseTitledDiffArguments {
  /** The title of the diff. */
  readonly tab_name: string;
}

/** Closes the session's diffs with a title; returns whether there was one. */
export const closeTitledDiff: IdeTool<CloseTitledDiffArguments, boolean> = {
  title: "Close diff",
  description: "Closes a diff by its title",
  input: plainInput<CloseTitledDiffArguments>({
    tab_name: { type: "string", description: "The title of the diff" },
  }),
  readOnly: false,
  needs: "openDiff",
  async run({ tab_name }, { session }) {
    return (await session.diffs.closeThose(({ title }) => title === tab_name)).length > 0;
  },
};
