import { type BrowserServer, chromium } from "playwright-core";
import { advice, findChromium } from "../../../scripts/chromium.mjs";

/** Of two lists Chromium takes the last: Playwright's own is repeated. */
const disabled = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding",
  "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin",
  "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
  // Three processes more for each window: two pages of an address bar, and a spare.
  "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
].join(",");

const flags = [
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking",
  "--disable-component-update --disable-sync --disable-dev-shm-usage --font-render-hinting=none",
  // The page asks who called it at each listener and timer: else its code is parsed again for that.
  "--js-flags=--no-enable-lazy-source-positions",
  `--disable-features=${disabled}`,
].flatMap((line) => line.split(" "));

export function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`There is no Chromium here. ${advice}`);
  return chromium.launchServer({ executablePath, headless: true, args: flags });
}
