import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What the system says of a process. */
export interface ProcessFacts {
  /** When it started: with its number, this names one process of all that there ever are. */
  readonly started: string;
  /** It does nothing until it is continued, such as after Ctrl-Z. */
  readonly isStopped: boolean;
  readonly group: number;
  /** The process group that its terminal reads for; not positive without a terminal. */
  readonly foregroundGroup: number;
}

/** Undefined for a process that does not exist, and where the system does not say. */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === "linux" ? readProc(pid) : readPs(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): ProcessFacts | undefined {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  // The name of the program, in brackets, may have brackets and spaces of its own.
  const [, ...rest] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
  const fields = rest.join(") ").split(" ");
  const [state = "", , group, , , foregroundGroup] = fields;
  const tick = fields[19];
  return tick === undefined
    ? undefined
    : { started: `${boot} ${tick}`, ...describe(state, group, foregroundGroup) };
}

/**
 * Asks `ps`, for systems without /proc.
 * @internal
 */
export function readPs(pid: number): ProcessFacts | undefined {
  const columns = ["state", "pgid", "tpgid", "lstart"].flatMap((name) => ["-o", `${name}=`]);
  const output = execFileSync("ps", [...columns, "-p", String(pid)], {
    encoding: "latin1",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC0" },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 5_000,
  });
  const [state = "", group, foregroundGroup, ...started] = output.trim().split(/\s+/);
  if (started.length === 0) return undefined;
  return { started: started.join(" "), ...describe(state, group, foregroundGroup) };
}

function describe(state: string, group?: string, foregroundGroup?: string) {
  return {
    isStopped: /^[Tt]/.test(state),
    group: Number(group),
    foregroundGroup: Number(foregroundGroup),
  };
}
