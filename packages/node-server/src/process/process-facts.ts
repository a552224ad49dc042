import { readFileSync } from "node:fs";

/** The system's facts about a process. */
export interface ProcessFacts {
  /** When it started: together with the id, this identifies a process uniquely. */
  readonly started: string;
  /** It is suspended until it is continued, such as after Ctrl-Z. */
  readonly isStopped: boolean;
  /** It has ended, and only its parent has not noticed: a zombie. */
  readonly hasEnded: boolean;
  readonly parent: number;
  readonly group: number;
  /** The foreground process group of its terminal; not positive without a terminal. */
  readonly foregroundGroup: number;
}

/**
 * @returns undefined for a process that does not exist, or that the system does not describe; may also throw then
 */
type ReadProcess = (pid: number) => ProcessFacts | undefined;

let readElsewhere: ReadProcess | undefined;

/**
 * Sets how processes are described on systems without /proc; until then they are known only by their ids. It is up
 * to the program: describing them starts another program, which a plugin must not do.
 */
export function describeProcessesBy(read: ReadProcess): void {
  readElsewhere = read;
}

/** Undefined for a process that does not exist, and on systems that do not describe it. */
export function processFacts(pid: number): ProcessFacts | undefined {
  try {
    return process.platform === "linux" ? readProc(pid) : readElsewhere?.(pid);
  } catch {
    return undefined;
  }
}

function readProc(pid: number): ProcessFacts | undefined {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name of the program, in parentheses, may itself contain parentheses and spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
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
  return {
    isStopped: /^[Tt]/.test(state),
    hasEnded: /^[ZX]/.test(state),
    parent,
    group,
    foregroundGroup,
  };
}
