// Installs dependencies of the tests that npm does not have.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";

/** Installs packages on Debian, if permitted. */
export function installOnDebian(packages) {
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!mayInstall) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] });
  apt("update", "-q");
  apt("install", "-q", "-y", "--no-install-recommends", ...packages);
}

/** The first executable path of a list. */
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
