import * as v from "valibot";
import { exactly } from "../../exactly.ts";
import { valibotInput } from "../../mcp/tool.ts";
import type { IdeTool } from "../ide-tool.ts";

type NoArguments = Record<never, never>;

/** Closes all diffs of the session that asks; says how many there were. */
export const closeAllDiffTabs: IdeTool<NoArguments, number> = {
  title: "Close all diffs",
  description: "Closes every diff that this session opened",
  input: valibotInput(exactly<NoArguments>()(v.object({}))),
  readOnly: false,
  run: (_, { session }) => session.diffs.closeAll("asked"),
};
