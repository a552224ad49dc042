import { openInspectAgent } from "./inspect-agent.ts";
import type { InspectLog } from "./inspect-log.ts";
import { InspectProxy } from "./inspect-proxy.ts";
import { type EditorInspection, withoutToken } from "./inspection.ts";
import type { ChosenTarget, TargetOptions } from "./target.ts";

export { InspectLog } from "./inspect-log.ts";
export type { EditorInspection, Inspection } from "./inspection.ts";
export { type ChosenTarget, chooseTarget, type TargetOptions } from "./target.ts";

/** The options of an inspection of an editor. */
export interface InspectOptions extends Pick<ChosenTarget, "target"> {
  /** How the editor is found again after it has closed. */
  readonly search: TargetOptions;
  readonly mode: EditorInspection["mode"];
  readonly log: InspectLog;
  /** Where agents find the inspection; any free port when left out. */
  readonly listenPort?: number | undefined;
}

/**
 * Starts to inspect the traffic between agents and an editor.
 * @throws IdewireError `port-in-use`, `file-system`; as an agent, as `connectIde` does
 */
export async function openInspection(options: InspectOptions): Promise<EditorInspection> {
  const { mode, log, listenPort, ...rest } = options;
  if (mode === "agent") return openInspectAgent({ ...rest, log });
  const proxy = await InspectProxy.open({ ...rest, log, port: listenPort });
  return {
    ...{ mode, log, proxy: { port: proxy.port, lockFile: proxy.lockFile } },
    get editor() {
      return withoutToken(proxy.target);
    },
    close: () => proxy.close(),
  };
}
