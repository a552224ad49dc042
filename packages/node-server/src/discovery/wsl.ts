import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type PathMap, toPosixPath, wslPathMap } from "@idewire/core";
import type { DiscoveryFolder } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";

/** Windows accounts that belong to no person. */
const NOBODYS: ReadonlySet<string> = new Set(["Public", "Default", "Default User", "All Users"]);

/** The name of the WSL distribution; undefined outside WSL. */
export function wslDistribution(env: Environment): string | undefined {
  const name = env["WSL_DISTRO_NAME"];
  return name === "" ? undefined : name;
}

/** The map between the paths of an editor on Windows and those here; undefined outside WSL. */
export function windowsPathMap(env: Environment): PathMap | undefined {
  const distribution = wslDistribution(env);
  return distribution === undefined ? undefined : wslPathMap({ distribution });
}

/** The directories of lock files of editors on Windows, as WSL paths; empty outside WSL. */
export async function windowsDirectories(
  { base, root, below = "" }: DiscoveryFolder,
  env: Environment,
): Promise<readonly string[]> {
  const map = windowsPathMap(env);
  if (map === undefined || base !== "home") return [];
  const users = "/mnt/c/Users";
  const names = await readdir(users).catch(() => []);
  const homes = names.filter((name) => !NOBODYS.has(name)).map((name) => join(users, name));
  const profile = toPosixPath(env["USERPROFILE"] ?? "", "windows");
  const own = profile.ok ? map.toAgent(profile.value) : undefined;
  return [own, ...homes]
    .filter((home) => home !== undefined)
    .map((home) => join(home, root, below));
}
