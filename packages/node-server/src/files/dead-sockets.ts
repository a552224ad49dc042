import { lstat, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { codeOf } from "../process/error-code.ts";

/** Removes stale sockets, without a listening process, from a folder of ours. */
export async function sweepSockets(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  const sockets = names.filter((name) => name.endsWith(".sock"));
  await Promise.all(sockets.map((name) => removeDeadSocket(join(directory, name))));
}

/** Removes a socket without a listening process; leaves anything else alone. */
export async function removeDeadSocket(path: string): Promise<void> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isSocket() !== true || !(await isRefused(path))) return;
  await rm(path, { force: true }).catch(() => {});
}

/** Only a refused connection proves it: a busy or suspended process does not answer either. */
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
