import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Starts a process that exits while its parent does not reap it. */
export async function spawnZombie(): Promise<number> {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec cat"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  // From its answer on, the parent is `cat` instead of a shell, which would reap its child.
  parent.stdin.write("ready");
  await once(parent.stdout, "data");
  process.kill(Number(line), "SIGKILL");
  return Number(line);
}
