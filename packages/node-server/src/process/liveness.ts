import { connect } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import { codeOf } from "./error-code.ts";
import { processFacts } from "./process-facts.ts";

/** Whether a process exists, ours to signal or not. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** A process by more than its number, which the system gives to another one day. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in words of the system's; absent where that cannot be learned. */
  readonly started?: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return identify(process.pid);
}

/** The process that has a number now. */
export function identify(pid: number): ProcessIdentity {
  const started = processFacts(pid)?.started;
  return { pid, ...(started !== undefined && { started }) };
}

/** Whether it is that very process which runs, not a later one under its number; none never does. */
export function isRunning({
  pid,
  started,
}: {
  readonly pid?: number | undefined;
  readonly started?: string | undefined;
}): boolean {
  if (pid === undefined || !isAlive(pid)) return false;
  const now = started && processFacts(pid)?.started;
  return now === undefined || now === started;
}

/** Whether its start proves that the process runs: its number alone may be known to anybody. */
export function isProved({ pid, started }: ProcessIdentity): boolean {
  return started !== undefined && processFacts(pid)?.started === started;
}

const TIMEOUT_MS = 500;

/** A port of a machine, this one when none is named, or a socket of the file system (on Windows a pipe). */
export type KnownPlace =
  | { readonly port: number; readonly host?: string }
  | { readonly socketPath: string };

/** Whether a machine, this one when none is named, accepts connections on a port within half a second. */
export function portAnswers(port: number, host = "127.0.0.1"): Promise<boolean> {
  return placeAnswers({ port, host });
}

/** Whether a place accepts connections within half a second. */
export function placeAnswers(place: KnownPlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket =
      "socketPath" in place
        ? connect({ path: place.socketPath })
        : connect({ host: "127.0.0.1", ...place });
    // What has come while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(() => finish(false)), TIMEOUT_MS);
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
    function finish(answers: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(answers);
    }
  });
}
