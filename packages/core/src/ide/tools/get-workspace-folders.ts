import type { WorkspaceFolder } from "../editor-host.ts";
import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";

/** The workspace folders, at every share level, since discovery files name them too. */
export const getWorkspaceFolders: IdeTool<NoArguments, readonly WorkspaceFolder[]> = {
  title: "Get workspace folders",
  description: "The folders that are open in the editor",
  input: noInput,
  readOnly: true,
  run: async (_, { host }) => host.workspace().folders,
};
