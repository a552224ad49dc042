import { dirname, join } from "node:path";
import { codex } from "@idewire/core";
import { shellQuote } from "@idewire/core/internal";
import { findSocket, inspectSharedSocket, placeAnswers } from "@idewire/node-server/internal";
import { stateDirectory } from "@idewire/node-server/internal/files";
import { describeEnabling } from "../../page-server/agent-start.ts";
import { isOnPath } from "../../process/is-on-path.ts";
import { ok, type StepDefinition, type StepFinding, type, warning } from "./step.ts";

/** The socket that 0.171.0 tries before the user's own (docs/clients/codex.md, Discovery). */
const EARLIER = "ipc.sock";

const SAME_TMPDIR = "Start idewire and Codex CLI with the same TMPDIR.";
const ALSO_FOR_CODEX = "If idewire serve or host was started with --dialect, add --dialect codex.";

/** Codex CLI, if installed, can ask the editor of the folder. */
export const codexStep: StepDefinition = {
  id: "codex",
  title: "Codex CLI",
  async run({ env, cwd, search }) {
    const place = await inspectSharedSocket(codex.endpoint, env);
    if (place === undefined || !isOnPath("codex", cwd, env)) {
      return ok("not on the PATH; nothing to check");
    }
    const { path, fault, answers, holder, isStopped } = place;
    const folder = dirname(path);
    if (fault !== undefined) {
      return warning(
        `${folder} ${fault}: neither Codex CLI nor idewire uses it`,
        type("Remove it", `rm -r ${shellQuote(folder)}`),
        "Or choose another TMPDIR, for both idewire and Codex CLI.",
      );
    }
    const earlier = join(folder, EARLIER);
    if (await placeAnswers({ socketPath: earlier })) return another(earlier);
    if (!answers) return warning(`no editor answers at ${path}`, SAME_TMPDIR, ALSO_FOR_CODEX);
    if (holder === undefined) return another(path);
    if (isStopped === true) {
      const why = `process ${holder}, which answers at ${path}, is stopped (Ctrl-Z)`;
      return warning(why, "Continue it, by fg in its terminal; another editor takes over, too.");
    }
    const socket = await findSocket(stateDirectory(env), search.cwd, codex.id);
    if (socket === undefined || !(await placeAnswers({ socketPath: socket }))) {
      const why = `process ${holder} answers at ${path}, and no editor for ${search.cwd}`;
      return warning(why, ALSO_FOR_CODEX);
    }
    return ok(`${path}; there, ${toEnable}`);
  },
};

const toEnable = codex.agent?.enable === undefined ? "" : describeEnabling(codex.agent.enable);

function another(path: string): StepFinding {
  return warning(
    `another program listens at ${path}, and is asked in place of idewire`,
    "End it, such as the Codex extension of an editor, for Codex CLI to ask idewire.",
  );
}
