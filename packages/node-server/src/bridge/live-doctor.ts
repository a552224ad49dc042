import { type Peer, RpcError } from "@idewire/core";
import { type Environment, homeDirectory } from "../directories.ts";
import { agentRules } from "../doctor/agent-rules.ts";
import { mapTexts } from "../doctor/check.ts";
import { examine, STEP_COUNT } from "../doctor/examine.ts";
import { shellQuote } from "../shell-quote.ts";
import type { FolderLog } from "./folder-log.ts";
import { withoutHome } from "./without-home.ts";

/** The code of a failure that the person should read, as in the host protocol. */
const FAILURE_CODE = 1;

/** What the doctor of a page is for. */
export interface DoctorOptions {
  /** Native. */
  readonly folder: string;
  readonly env: Environment;
  readonly log: Pick<FolderLog, "own" | "agents">;
  /** The folder is offered under names that it does not have here. */
  readonly isMapped: boolean;
}

const MAPPED =
  "The folder is served for agents elsewhere (--path-map). Ask the doctor there: idewire doctor --path-map";

/** Lets a page go the way of an agent, with the steps of `idewire doctor`. */
export function serveDoctor(peer: Peer, options: DoctorOptions): void {
  const { folder, env, log, isMapped } = options;
  const home = homeDirectory(env);
  peer.handle("live/doctor", async ({ params }) => {
    if (isMapped) throw new RpcError(FAILURE_CODE, MAPPED);
    const run = params?.["run"];
    await examine({
      ...{ cwd: folder, env, own: log.own },
      onstep: (step) => {
        const shown = mapTexts(step, (text) => withoutHome(text, home));
        peer.notify("live/doctor-step", { run, step: shown, count: STEP_COUNT });
      },
    });
    return {
      agents: log.agents,
      rules: agentRules,
      command: withoutHome(`idewire doctor --cwd ${shellQuote(folder)}`, home),
    };
  });
}
