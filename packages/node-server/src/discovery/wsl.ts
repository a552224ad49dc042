import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../directories.ts";

/** Accounts of Windows that are nobody's. */
const NOBODYS: ReadonlySet<string> = new Set(["Public", "Default", "Default User", "All Users"]);

/** The name of the Linux that runs under Windows; undefined where none does. */
export function wslDistribution(env: Environment): string | undefined {
  const name = env["WSL_DISTRO_NAME"];
  return name === "" ? undefined : name;
}

/**
 * A folder that an editor on Windows has named, as WSL sees it: `C:\x` is `/mnt/c/x`, and
 * `\\wsl$\<this distribution>\x` is `/x`. Undefined when it belongs to another distribution.
 */
export function fromWindowsFolder(folder: string, distribution: string): string | undefined {
  const slashed = folder.replaceAll("\\", "/");
  const drive = /^([A-Za-z]):(\/.*)?$/.exec(slashed);
  if (drive !== null) return `/mnt/${(drive[1] ?? "").toLowerCase()}${drive[2] ?? ""}`;
  const share = /^\/\/(?:wsl\$|wsl\.localhost)\/([^/]+)(\/.*)?$/i.exec(slashed);
  if (share === null) return folder;
  const isOurs = share[1]?.toLowerCase() === distribution.toLowerCase();
  return isOurs ? (share[2] ?? "/") : undefined;
}

/** Where the editors of Windows leave their lock files, as WSL sees it. */
export async function windowsIdeDirectories(
  env: Environment,
  distribution: string,
): Promise<readonly string[]> {
  const users = "/mnt/c/Users";
  const names = await readdir(users).catch(() => []);
  const homes = names.filter((name) => !NOBODYS.has(name)).map((name) => join(users, name));
  const profile = env["USERPROFILE"];
  const own = profile === undefined ? undefined : fromWindowsFolder(profile, distribution);
  return [own, ...homes]
    .filter((home) => home !== undefined)
    .map((home) => join(home, ".claude", "ide"));
}
