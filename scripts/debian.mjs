// Installs what the tests need and npm does not have.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";

/** Installs packages when this is Debian and we may. */
export function installOnDebian(packages) {
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!mayInstall) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] });
  apt("update", "-q");
  apt("install", "-q", "-y", "--no-install-recommends", ...packages);
}

/** The first of some paths that can be run. */
export function findExecutable(paths) {
  return paths.find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
