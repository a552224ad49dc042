import { connect } from "node:net";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";

/** Whether a process exists, ours to signal or not. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const PATIENCE_MS = 500;

/** Whether a machine, this one when none is named, accepts connections on a port within half a second. */
export function portAnswers(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    // What has come while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(() => finish(false)), PATIENCE_MS);
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
    function finish(answers: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(answers);
    }
  });
}
