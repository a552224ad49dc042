import type { SelectionSnapshot } from "../editor-host.ts";
import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";
import { shareSelection } from "../share-policy.ts";

/** The latest selection, also after the editor has lost the focus. */
export const getLatestSelection: IdeTool<NoArguments, SelectionSnapshot | undefined> = {
  title: "Get latest selection",
  description: "The latest selection, even when the editor has lost the focus",
  input: noInput,
  readOnly: true,
  run: async (_, { host, session }) => shareSelection(host.selection("latest"), session.share),
};
