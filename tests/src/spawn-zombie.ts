import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** A process that has ended, whose parent does not notice it. */
export async function spawnZombie(): Promise<number> {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec cat"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  // From its answer on, the parent is no shell any more, which would notice.
  parent.stdin.write("ready");
  await once(parent.stdout, "data");
  process.kill(Number(line), "SIGKILL");
  return Number(line);
}
