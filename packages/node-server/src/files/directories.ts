import { homedir, tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { DiscoveryFolder } from "@idewire/core/internal";

/** The variables with the locations of a user's files. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home, as the agents determine it. */
export function homeDirectory(env: Environment): string {
  const named = process.platform === "win32" ? env["USERPROFILE"] : env["HOME"];
  // An empty HOME makes homedir() empty too; a token must not land in the working directory.
  return resolve(named || homedir() || userInfo().homedir);
}

/** The system's folder for temporary files, as Node determines it from this environment. */
export function temporaryDirectory(env: Environment): string {
  if (process.platform === "win32") return resolve(env["TEMP"] || env["TMP"] || tmpdir());
  return resolve(env["TMPDIR"] || env["TMP"] || env["TEMP"] || "/tmp");
}

/** Where discovery files are published: in the folder that the variable names, else in its usual place. */
export function discoveryDirectory(folder: DiscoveryFolder, env: Environment): string {
  return discoveryDirectories(folder, env)[0];
}

/** Where agents look for them: in both places if the variable is set. */
export function discoveryDirectories(
  { base, root, variable, below = "" }: DiscoveryFolder,
  env: Environment,
): readonly [string, ...string[]] {
  const parent = base === "home" ? homeDirectory(env) : temporaryDirectory(env);
  const usual = join(parent, root, below);
  const configured = variable && env[variable];
  return configured ? [resolve(configured, below), usual] : [usual];
}

/** The directory of idewire's state, by the conventions of each system. */
export function stateDirectory(env: Environment): string {
  const home = homeDirectory(env);
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "idewire");
  if (process.platform === "win32") {
    return join(env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "idewire");
  }
  const state = env["XDG_STATE_HOME"];
  // A relative one is invalid by the XDG base directory specification.
  return state?.startsWith("/") === true
    ? join(state, "idewire")
    : join(home, ".local", "state", "idewire");
}
