import type { Page } from "playwright-core";

// In the page, whose globals these tests do not know: as text.
const WATCH = `
  window.longestTurn = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries())
      window.longestTurn = Math.max(window.longestTurn, duration);
  }).observe({ type: "longtask" });
`;

/** Watches for turns that take long from now on. @returns what gives the longest, in milliseconds */
export async function watchTurns(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(WATCH);
  return () => page.evaluate<number>("window.longestTurn");
}

/** A call and its answer, five times every ten milliseconds, until the page is left. */
const FLOOD = `
  setInterval(() => {
    for (let at = 0; at < 5; at += 1) document.querySelector("[data-testid=resend]").click();
  }, 10);
`;

/** Sends a thousand frames a second, until the page is left. */
export async function flood(page: Page): Promise<void> {
  await page.getByRole("row", { name: "tools/list" }).first().click();
  await page.getByRole("tab", { name: "Raw" }).click();
  await page.getByTestId("resend").waitFor();
  await page.evaluate(FLOOD);
}

/** What a page holds once its garbage is collected, in units of 1,000,000 bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
  return usedSize / 1e6;
}
