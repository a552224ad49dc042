import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { plainInput } from "../../mcp/plain-input.ts";
import type { IdeTool } from "../ide-tool.ts";

export interface CloseTabArguments {
  /** A diff's title, a tab's label, or a file's path. */
  readonly tab_name: string;
}

const schema = exactly<CloseTabArguments>()(
  v.object({
    tab_name: v.pipe(v.string(), v.description("The title of a diff, or the label of a tab")),
  }),
);

/** Closes the session's diffs of that title, else a tab; says whether there was one. */
export const closeTab: IdeTool<CloseTabArguments, boolean> = {
  title: "Close tab",
  description: "Closes a diff or a tab by its name",
  input: plainInput(schema),
  readOnly: false,
  async run({ tab_name }, { host, session }) {
    if ((await session.diffs.closeByTitle(tab_name)) > 0) return true;
    return (await host.closeTab?.(tab_name)) ?? false;
  },
};
