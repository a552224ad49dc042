import { accessSync, constants } from "node:fs";
import { type BrowserServer, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const flags: readonly string[] = [
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking",
  "--disable-component-update --disable-sync --disable-dev-shm-usage --font-render-hinting=none",
].flatMap((line) => line.split(" "));

/** Where this machine's Chromium is; `CHROME_PATH` says it for others. */
function findChromium(): string | undefined {
  const named = process.env["CHROME_PATH"];
  return (named === undefined ? places : [named]).find(isExecutable);
}

export function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    const looked = places.join(", ");
    throw new Error(
      `No Chromium at ${looked}. On Debian: apt-get install -y --no-install-recommends chromium; else set CHROME_PATH.`,
    );
  }
  return chromium.launchServer({ executablePath, headless: true, args: [...flags] });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
