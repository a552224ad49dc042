import { type IdeTool, type NoArguments, noInput } from "../ide-tool.ts";

/** Closes all diffs of the session; returns how many there were. */
export const closeAllDiffTabs: IdeTool<NoArguments, number> = {
  title: "Close all diffs",
  description: "Closes every diff that this session opened",
  input: noInput,
  readOnly: false,
  async run(_, { session }) {
    session.writes?.prompted(session);
    return (await session.diffs.closeAll("asked")).length;
  },
};
