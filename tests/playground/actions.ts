import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Site } from "./site.ts";

/** Runs the only command whose name contains these words, with the keyboard alone. */
export async function runCommand(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const found = page.getByRole("dialog").getByRole("option");
  await page.getByTestId("palette").fill(words);
  await expect.poll(() => found.count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.getByTestId("palette").waitFor({ state: "detached" });
}

/** Asks for a change, and waits until its review is shown. */
export async function askForChange(page: Page): Promise<Locator> {
  await page.getByTestId("ask").click();
  const review = page.getByTestId("review");
  await review.getByLabel("Proposed text").waitFor();
  return review;
}

/** A page that shows the review of a change. */
export async function openWithChange(site: Site): Promise<Page> {
  const page = await site.page();
  await askForChange(page);
  return page;
}

/** Adds a fault in the dialog, and leaves the dialog open. */
export async function addFault(page: Page, kind: string, match: string): Promise<void> {
  await page.getByTestId("fault-kind").selectOption(kind);
  await page.getByTestId("fault-match").fill(match);
  await page.getByTestId("fault-add").click();
}

/** Selects an item in a menu of the bar, such as the speed. */
export async function chooseInMenu(page: Page, testId: string, choice: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole("menuitemradio", { name: choice, exact: true }).click();
}

/** Waits for the tours, which are loaded once the page is idle. */
export async function untilIdle(page: Page): Promise<void> {
  await page.getByTestId("tour").click();
  await page.getByRole("menuitemradio", { name: "Hostile web page" }).waitFor();
  await page.keyboard.press("Escape");
}

/** Selects a tab of the wire or of the frame. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

/** Selects the first row with this name. */
export async function openRow(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("row", { name }).first().click();
}

/** The values of the options of a list. */
export function valuesOf(options: Locator): Promise<readonly string[]> {
  return options.evaluateAll((all) =>
    all.map((one) => (one as unknown as { value: string }).value),
  );
}

/** The text that an action has copied to the clipboard. */
export async function copiedBy(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.evaluate("delete window.copiedText");
  await act();
  await expect.poll(() => page.evaluate<string>("typeof window.copiedText")).toBe("string");
  return page.evaluate<string>("window.copiedText");
}

/** The file that an action has downloaded. */
export async function savedBy(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return text(await download.createReadStream());
}

/** Opens a file of the person in the dialog "Save and share". */
export async function openTrace(page: Page, name: string, content: string): Promise<void> {
  await page.getByTestId("share").click();
  const mimeType = "application/octet-stream";
  await page
    .getByTestId("open-file")
    .setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
}

/** Advances a page's stopped clock until something is shown. */
export async function passUntil(page: Page, shown: Locator, stepMs = 50): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    await page.clock.runFor(stepMs);
    return shown.isVisible();
  };
  await expect.poll(isThere, { message: String(shown) }).toBe(true);
}
