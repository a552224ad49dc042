import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { IdeTool } from "../ide-tool.ts";

export interface UpdateSessionNameArguments {
  readonly name: string;
}

/** The length to which a title is truncated, as it is displayed on one line. */
const MAX_TITLE = 200;

/** Stores the agent's title of the conversation with its person. */
export const updateSessionName: IdeTool<UpdateSessionNameArguments, void> = {
  title: "Update session name",
  description: "Sets the title of the session, by which the person knows it",
  input: plainInput<UpdateSessionNameArguments>({
    name: { type: "string", description: "The title" },
  }),
  readOnly: false,
  async run({ name }, { session }) {
    session.identify({ title: name.slice(0, MAX_TITLE) });
  },
};
