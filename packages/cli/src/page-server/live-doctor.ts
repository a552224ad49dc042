import { shellQuote } from "@idewire/core/internal";
import { type Peer, ToolFailure } from "@idewire/core/rpc";
import { notifyPage, type PageHandlers } from "@idewire/devtools/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { homeDirectory } from "@idewire/node-server/internal/files";
import { agentRules } from "../debug/doctor/agent-rules.ts";
import { examine } from "../debug/doctor/examine.ts";
import { mapTexts } from "../debug/doctor/step.ts";
import type { FolderLog } from "./folder-log.ts";
import { withoutHome } from "./without-home.ts";

/** The options of a page's doctor. */
export interface DoctorOptions {
  /** Native. */
  readonly folder: string;
  readonly env: Environment;
  readonly log: Pick<FolderLog, "own" | "sessions">;
  /** The folder is offered under paths of another machine. */
  readonly isMapped: boolean;
}

const MAPPED =
  "The folder is served for agents elsewhere (--path-map). Run idewire doctor on their machine";

/** Handlers by which a page runs the steps of `idewire doctor`. */
export function doctorHandlers(peer: Peer, options: DoctorOptions): PageHandlers<"live/doctor"> {
  const { folder, env, log, isMapped } = options;
  const home = homeDirectory(env);
  return {
    async "live/doctor"({ run }) {
      if (isMapped) throw new ToolFailure(MAPPED);
      await examine({
        ...{ cwd: folder, env, own: log.own },
        onstep: (step, count) => {
          const shown = mapTexts(step, (text) => withoutHome(text, home));
          notifyPage(peer, "live/doctor-step", { run, step: shown, count });
        },
      });
      return {
        agents: log.sessions.facts,
        rules: agentRules,
        command: withoutHome(`idewire doctor --cwd ${shellQuote(folder)}`, home),
      };
    },
  };
}
