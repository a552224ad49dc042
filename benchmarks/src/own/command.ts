import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../checkout.ts";
import type { Figures } from "../row.ts";
import { COMMAND, type ServedFolder, serveFolder } from "./served-folder.ts";

const ROUNDS = 9;
const REPORT = join(root, "benchmarks/cpu-at-exit.cjs");

/**
 * The CPU time of a command sent to a running editor over that of `node -e 0`, in this process's environment:
 * `NODE_EXTRA_CA_CERTS`, if set, costs both the same.
 */
export async function commandFigure(args: readonly string[]): Promise<Figures> {
  const served = await serveFolder("some words\n");
  try {
    const idewire: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await cpuOf(["--eval", "0"], served);
      idewire.push((await cpuOf([COMMAND, ...args], served)) / bare);
    }
    return { idewire };
  } finally {
    await served.close();
  }
}

async function cpuOf(args: readonly string[], { options }: ServedFolder): Promise<number> {
  const child = spawn(process.execPath, ["--require", REPORT, ...args], {
    ...options,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const pipe = child.stdio[3];
  if (pipe == null) throw new Error("the pipe of the CPU time is missing");
  const [micros] = await Promise.all([text(pipe as NodeJS.ReadableStream), once(child, "close")]);
  return Number(micros);
}
