import type { Page } from "playwright-core";

// A string, because it runs in the page, whose globals have no types here.
const WATCH = `
  window.longestTurn = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.longestTurn = Math.max(window.longestTurn, duration);
  }).observe({ type: "longtask" });
`;

/** Starts to record long tasks. @returns reads the longest so far, in milliseconds */
export async function watchTurns(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(WATCH);
  return () => page.evaluate<number>("window.longestTurn");
}

/** Five calls with their answers every ten milliseconds, until the page is left. */
const FLOOD = `
  setInterval(() => {
    for (let at = 0; at < 5; at += 1) document.querySelector("[data-testid=resend]").click();
  }, 10);
`;

/** Causes a thousand frames a second, until the page is left. */
export async function flood(page: Page): Promise<void> {
  await page.getByRole("row", { name: "tools/list" }).first().click();
  await page.getByRole("tab", { name: "Raw" }).click();
  await page.getByTestId("resend").waitFor();
  await page.evaluate(FLOOD);
}

/** The heap of a page after a garbage collection, in units of 1,000,000 bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize / 1e6;
}
