import { ToolFailure } from "../../errors.ts";
import { plainInput } from "../../mcp/schemas/plain-input.ts";
import type { DiffOutcome } from "../editor-host.ts";
import type { IdeTool } from "../ide-tool.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { isOfFile } from "./close-diff.ts";
import { readAgentPath } from "./common/agent-path.ts";
import { createDiffRequest } from "./common/diff-request.ts";

/** The arguments of Gemini CLI. */
export interface ProposeDiffArguments {
  readonly filePath: string;
  readonly newContent: string;
}

/** How many diffs of one agent may wait for the person. */
const MAX_WAITING = 100;

/** Takes the person's answer to a diff; `filePath` is the agent's. */
type TakeOutcome = (session: IdeSession, filePath: string, outcome: DiffOutcome) => void;

/**
 * Proposes a diff without waiting for the person's answer, with which `takeOutcome` is called. Another diff of the
 * same file replaces it.
 */
export function proposeDiff(takeOutcome: TakeOutcome): IdeTool<ProposeDiffArguments, void> {
  return {
    title: "Open diff",
    description: "Shows a proposed change in the editor",
    input: plainInput<ProposeDiffArguments>({
      filePath: { type: "string", description: "Absolute path of the file to write" },
      newContent: { type: "string", description: "The proposed text, whole" },
    }),
    readOnly: true,
    needs: "openDiff",
    async run({ filePath, newContent }, context) {
      const { session, platform } = context;
      const path = readAgentPath("filePath", filePath, platform);
      await session.diffs.closeThose(isOfFile(filePath, platform));
      if (session.diffs.requests.length >= MAX_WAITING) {
        throw new ToolFailure(`${MAX_WAITING} diffs wait for the person, which is the limit`);
      }
      const paths = { path, oldPath: path };
      const request = createDiffRequest(context, {
        ...paths,
        proposed: newContent,
        title: filePath,
      });
      session.writes?.proposed(session, path);
      // The agent asks in its terminal, too: a diff that cannot be shown is answered there.
      void session.diffs.propose(request).then((outcome) => {
        session.writes?.answered(session, path, outcome);
        takeOutcome(session, filePath, outcome);
      });
    },
  };
}
