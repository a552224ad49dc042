import { lstat, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { codeOf } from "../process/error-code.ts";

/** Removes the sockets in a folder of ours at which no process listens any more, as after a crash. */
export async function sweepSockets(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const sockets = names.filter((name) => name.endsWith(".sock"));
  await Promise.all(sockets.map((name) => removeDeadSocket(join(directory, name))));
}

/** Removes a socket at which no process listens; anything else stays. */
export async function removeDeadSocket(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isSocket() !== true || !(await isRefused(path))) return;
  await rm(path, { force: true }).catch(() => {});
}

/** Only a refusal proves it: a process that is busy or stopped answers nothing either. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    const settle = (isDead: boolean) => {
      socket.destroy();
      resolve(isDead);
    };
    socket.once("connect", () => settle(false));
    socket.once("error", (error) => settle(codeOf(error) === "ECONNREFUSED"));
  });
}
