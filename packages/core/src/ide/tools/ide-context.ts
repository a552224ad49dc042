import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { IdeTool } from "../ide-tool.ts";
import { type SharedState, shareState } from "../share-policy.ts";
import { demandInWorkspace, outside, readAgentPath } from "./common/agent-path.ts";

/** The arguments of Codex CLI. */
export interface IdeContextArguments {
  readonly workspaceRoot: string;
}

/** The shared state of the editor, and the folder that it runs in. */
export interface IdeContext extends SharedState {
  readonly root: PosixPath;
}

/** All that is shared of the editor at once; fails for a folder that is not the editor's. */
export const ideContext: IdeTool<IdeContextArguments, IdeContext> = {
  title: "Get context",
  description: "The active file, the selection and the open files",
  input: plainInput<IdeContextArguments>({
    workspaceRoot: { type: "string", description: "Absolute path of the folder it runs in" },
  }),
  readOnly: true,
  async run({ workspaceRoot }, { host, session, platform }) {
    const named = readAgentPath("workspaceRoot", workspaceRoot, platform);
    const { toWorkspace = (path: PosixPath) => path } = session.share;
    const root = toWorkspace(named);
    if (root === undefined) throw outside("workspaceRoot", named);
    demandInWorkspace(host, "workspaceRoot", root, platform);
    session.identify({ folder: root });
    const { selection, documents, trusted } = shareState(host, session.share);
    return { root, selection, documents, trusted };
  },
};
