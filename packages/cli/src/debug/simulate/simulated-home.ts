import { cp, mkdir, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { IdewireError } from "@idewire/core/rpc";
import { scenarioFiles } from "@idewire/devtools/internal";
import type { ScenarioHeader } from "@idewire/devtools/scenario";
import { diskFiles } from "./disk-files.ts";

type HomeEnv = Readonly<Record<string, string>> & { readonly HOME: string };
type SimulatedHomeEnv = HomeEnv & { readonly CLAUDE_CONFIG_DIR: string };

/** A temporary home, with a workspace beside it. */
export interface SimulatedHome {
  /** The native, real path of the workspace. */
  readonly folder: string;
  /** The parent of the other editors' folders. */
  readonly root: string;
  /** The variables that lead an agent here: `HOME` and `CLAUDE_CONFIG_DIR`. */
  readonly env: SimulatedHomeEnv;
  close(): Promise<void>;
}

/**
 * Creates the home and the workspace of a scenario.
 * @param base native; the base of the header's `workspace`
 * @throws IdewireError `not-a-folder`, `file-system`
 */
export async function openSimulatedHome(
  header: ScenarioHeader,
  base: string,
): Promise<SimulatedHome> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "idewire-simulate-")));
  const close = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const folder = join(root, "workspace");
    const home = join(root, "home");
    await mkdir(home, { mode: 0o700 });
    if (header.workspace === undefined) await mkdir(folder);
    else await copyFolder(resolve(base, header.workspace), folder);
    const files = diskFiles(folder);
    for (const [filePath, text] of Object.entries(scenarioFiles(header))) {
      files.write(filePath, text);
    }
    const env = { ...homeOf(home), CLAUDE_CONFIG_DIR: join(home, ".claude") };
    return { folder, root, env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The variables for the home directory on all systems. */
export function homeOf(home: string): HomeEnv {
  return { HOME: home, USERPROFILE: home, LOCALAPPDATA: join(home, "AppData", "Local") };
}

async function copyFolder(from: string, to: string): Promise<void> {
  const facts = await stat(from).catch(() => undefined);
  if (facts?.isDirectory() !== true) {
    throw new IdewireError("not-a-folder", `workspace: expected a folder, got ${from}`);
  }
  await cp(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== ".git",
  });
}
