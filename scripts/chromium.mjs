// Finds or installs the browser of the tests.
import { findExecutable, installOnDebian } from "./debian.mjs";

/** The headless one comes first: opening a page in it takes half the CPU time. */
const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

const packages = ["chromium-headless-shell", "fonts-dejavu", "fonts-liberation"];

export const advice = `On Debian: apt-get install -y --no-install-recommends ${packages.join(" ")}; elsewhere set CHROME_PATH`;

/** The browser's path; `CHROME_PATH` names another. */
export function findChromium(env = process.env) {
  const named = env.CHROME_PATH;
  return findExecutable(named === undefined ? places : [named]);
}

/** Installs Debian's package on Debian, if permitted. */
export function installChromium() {
  if (process.env.CHROME_PATH === undefined) installOnDebian(packages);
  return findChromium();
}
