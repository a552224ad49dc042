import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";

export interface EditorInfo {
  readonly name: string;
  readonly version: string;
}

/** The editor's name and version. */
export const getEditorInfo: IdeTool<NoArguments, EditorInfo> = {
  title: "Get editor info",
  description: "The name and version of the editor",
  input: noInput,
  readOnly: true,
  run: async (_, { host: { name, version } }) => ({ name, version }),
};
