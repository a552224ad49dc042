// Where the browser of the tests is, and how it comes to be there.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

const packages = ["chromium", "fonts-dejavu", "fonts-liberation"];

export const advice = `On Debian: apt-get install -y --no-install-recommends ${packages.join(" ")}; elsewhere set CHROME_PATH`;

/** The browser's path; `CHROME_PATH` names another. */
export function findChromium(env = process.env) {
  const named = env.CHROME_PATH;
  return (named === undefined ? places : [named]).find(isExecutable);
}

/** Installs Debian's package when this is Debian and we may. */
export function installChromium() {
  const mayInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!mayInstall || process.env.CHROME_PATH !== undefined) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", args, { env, stdio: ["ignore", 2, 2] });
  apt("update", "-q");
  apt("install", "-q", "-y", "--no-install-recommends", ...packages);
  return findChromium();
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
