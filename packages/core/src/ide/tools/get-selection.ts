import type { SelectionSnapshot } from "../editor-host.ts";
import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";
import { shareSelection } from "../share-policy.ts";

/** The selection in the active editor, as far as it is shared; undefined when there is none. */
export const getSelection: IdeTool<NoArguments, SelectionSnapshot | undefined> = {
  title: "Get selection",
  description: "The selection in the active editor",
  input: noInput,
  readOnly: true,
  run: async (_, { host, session }) => shareSelection(host.selection("current"), session.share),
};
