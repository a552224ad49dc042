import { execFileSync } from "node:child_process";
import { describeState, type ProcessFacts } from "./process-facts.ts";

/** Asks `ps`, for systems without /proc: pass it to `describeProcessesBy`. */
export function readPs(pid: number): ProcessFacts | undefined {
  const columns = ["state", "ppid", "pgid", "tpgid", "lstart"].flatMap((name) => [
    "-o",
    `${name}=`,
  ]);
  const output = execFileSync("ps", [...columns, "-p", String(pid)], {
    encoding: "latin1",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC0" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5_000,
  });
  const [state = "", parent, group, foregroundGroup, ...started] = output.trim().split(/\s+/);
  if (started.length === 0) return undefined;
  return { started: started.join(" "), ...describeState(state, [parent, group, foregroundGroup]) };
}
