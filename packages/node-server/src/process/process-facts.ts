import { readFileSync } from "node:fs";

/** What the system says of a process. */
export interface ProcessFacts {
  /** When it started: with its number, this names one process of all that there ever are. */
  readonly started: string;
  /** It does nothing until it is continued, such as after Ctrl-Z. */
  readonly isStopped: boolean;
  readonly parent: number;
  readonly group: number;
  /** The process group that its terminal reads for; not positive without a terminal. */
  readonly foregroundGroup: number;
}

/** @returns undefined for a process that does not exist, or that the system does not describe; may throw then, too */
type ReadProcess = (pid: number) => ProcessFacts | undefined;

let readElsewhere: ReadProcess | undefined;

/**
 * Sets how processes are described where there is no /proc; until then they are known by their numbers alone.
 * Left to the program: what describes them there is another program, and a plugin starts none.
 */
export function describeProcessesBy(read: ReadProcess): void {
  readElsewhere = read;
}

/** Undefined for a process that does not exist, and where the system does not say. */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === "linux" ? readProc(pid) : readElsewhere?.(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): ProcessFacts | undefined {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  // The name of the program, in brackets, may have brackets and spaces of its own.
  const [, ...rest] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
  const fields = rest.join(") ").split(" ");
  const [state = "", parent, group, , , foregroundGroup] = fields;
  const tick = fields[19];
  return tick === undefined
    ? undefined
    : { started: `${boot} ${tick}`, ...describeState(state, [parent, group, foregroundGroup]) };
}

/** @internal */
export function describeState(
  state: string,
  numbers: readonly (string | undefined)[],
): Omit<ProcessFacts, "started"> {
  const [parent = Number.NaN, group = Number.NaN, foregroundGroup = Number.NaN] =
    numbers.map(Number);
  return { isStopped: /^[Tt]/.test(state), parent, group, foregroundGroup };
}
