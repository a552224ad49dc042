import { spawn } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  linuxLaunches,
  macLaunches,
  macScript,
  type TerminalLaunch,
  windowsLaunches,
} from "./terminals.ts";

/** A terminal that cannot open, for example without a display, ends sooner. */
const SETTLED_MS = 1500;

/**
 * Opens the system's terminal with an agent in the folder.
 *
 * @returns whether one opened
 */
export async function openTerminal(folder: string): Promise<boolean> {
  for (const launch of await launchesFor(folder)) {
    if (await opens(launch, folder)) return true;
  }
  return false;
}

async function launchesFor(folder: string): Promise<readonly TerminalLaunch[]> {
  if (process.platform === "win32") return windowsLaunches(folder);
  if (process.platform !== "darwin") return linuxLaunches(folder);
  const script = join(await mkdtemp(join(tmpdir(), "idewire-")), "agent.command");
  await writeFile(script, macScript(folder), { mode: 0o700 });
  return macLaunches(script);
}

/** Whether the program starts, and does not fail at once. */
function opens({ command, args, verbatim }: TerminalLaunch, cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    // The terminal outlives Obsidian.
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: "ignore",
      windowsVerbatimArguments: verbatim,
    });
    child.unref();
    const settled = window.setTimeout(() => resolve(true), SETTLED_MS);
    const end = (isOpen: boolean) => {
      window.clearTimeout(settled);
      resolve(isOpen);
    };
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
  });
}
