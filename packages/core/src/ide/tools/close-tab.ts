import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { plainInput } from "../../mcp/plain-input.ts";
import { comparisonKey, toPosixPath } from "../../paths/posix-path.ts";
import type { DiffRequest } from "../editor-host.ts";
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

/** Closes the session's diffs of that title, else a tab, else its diffs of that file. */
export const closeTab: IdeTool<CloseTabArguments, boolean> = {
  title: "Close tab",
  description: "Closes a diff or a tab by its name",
  input: plainInput(schema),
  readOnly: false,
  async run({ tab_name }, { host, session, platform }) {
    if ((await session.diffs.closeThose(({ title }) => title === tab_name)) > 0) return true;
    if (await host.closeTab?.(tab_name)) return true;
    const named = toPosixPath(tab_name, platform);
    if (!named.ok) return false;
    const key = comparisonKey(named.value, platform);
    const isNamed = ({ path }: DiffRequest) => comparisonKey(path, platform) === key;
    return (await session.diffs.closeThose(isNamed)) > 0;
  },
};
