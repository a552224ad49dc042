import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { IdeTool } from "../ide-tool.ts";

export interface UpdateSessionNameArguments {
  readonly name: string;
}

/** How much of a title is kept: a person reads it on a line. */
const MAX_TITLE = 200;

/** Takes what the agent calls the conversation with its person. */
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
