import type { SelectionSnapshot } from "../editor-host.ts";
import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";
import { shareSelection } from "../share-policy.ts";

/** A selection, and whether it is of the active editor. */
export interface KnownSelection {
  readonly snapshot: SelectionSnapshot;
  readonly isCurrent: boolean;
}

/** The selection in the active editor, else the latest; undefined if none is shared. */
export const getKnownSelection: IdeTool<NoArguments, KnownSelection | undefined> = {
  title: "Get selection",
  description:
    "The selection in the active editor, or the latest when the editor has lost the focus",
  input: noInput,
  readOnly: true,
  async run(_, { host, session: { share } }) {
    const current = shareSelection(host.selection("current"), share);
    if (current !== undefined) return { snapshot: current, isCurrent: true };
    const latest = shareSelection(host.selection("latest"), share);
    return latest && { snapshot: latest, isCurrent: false };
  },
};
