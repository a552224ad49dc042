import { type BrowserServer, chromium, type Page } from "playwright-core";
import { advice, findChromium } from "../../../scripts/chromium.mjs";

/** Chromium uses only the last `--disable-features`, so this repeats Playwright's list. */
const disabled = [
  "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding",
  "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin",
  "OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch",
  // Otherwise each window has three more processes: two pages of the address bar, and a spare renderer.
  "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess",
].join(",");

const flags = [
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking",
  "--disable-component-update --disable-sync --disable-dev-shm-usage --font-render-hinting=none",
  // The page reads the stack at each listener and timer; lazy positions would parse its code again each time.
  "--js-flags=--no-enable-lazy-source-positions",
  `--disable-features=${disabled}`,
].flatMap((line) => line.split(" "));

/** The time limit of each step in a page: on a busy machine only what hangs may exceed it. */
export const PAGE_TIMEOUT_MS = 90_000;

/** Opens an empty page in a browser of its own; `close` closes both. */
export async function openPageAlone(): Promise<{ page: Page; close: () => Promise<void> }> {
  const server = await launchChromium();
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  return { page, close: () => server.close() };
}

export function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(`There is no Chromium here. ${advice}`);
  return chromium.launchServer({ executablePath, headless: true, args: flags });
}
