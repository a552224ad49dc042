import { connect } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import { codeOf } from "./error-code.ts";
import { processFacts } from "./process-facts.ts";

/** Whether the system lists a process, of this user or another, even one that has ended. */
export function isListed(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Identifies a process by more than its id, which the system reuses. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, as the system reports it; absent if that is unknown. */
  readonly started?: string;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return identify(process.pid);
}

/** The process that currently has an id. */
export function identify(pid: number): ProcessIdentity {
  const started = processFacts(pid)?.started;
  return { pid, ...(started !== undefined && { started }) };
}

/** Whether that very process runs, not a later one with its id; false for undefined. */
export function isRunning({
  pid,
  started,
}: {
  readonly pid?: number | undefined;
  readonly started?: string | undefined;
}): boolean {
  if (pid === undefined || !isListed(pid)) return false;
  const now = processFacts(pid);
  if (now === undefined) return true;
  return !now.hasEnded && (started === undefined || now.started === started);
}

/** Whether its start time proves that the process runs: anybody may know its id. */
export function isProved({ pid, started }: ProcessIdentity): boolean {
  return started !== undefined && processFacts(pid)?.started === started;
}

const TIMEOUT_MS = 500;

/** A port of a machine, by default of this one, or a socket of the file system (on Windows a pipe). */
export type KnownPlace =
  | { readonly port: number; readonly host?: string }
  | { readonly socketPath: string };

/** Whether a machine, by default this one, accepts connections on a port within half a second. */
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
    // Events that arrived while this process was busy are handled first.
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
