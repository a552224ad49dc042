import type { Locator, Page } from "playwright-core";
import UPNG from "upng-js";
import { expect, test } from "vitest";
import { askForChange, openTab } from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite();

test("the list is a table with column headings, whose cells name their units", async () => {
  const page = await site.connected();
  const table = page.getByRole("grid", { name: "Frames" });
  const heads = await table
    .getByRole("columnheader")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(heads).toEqual([
    ...["Number", "Time since the start", "Direction", "What", "Info"],
    "Time from the request to the reply",
  ]);
  const row = table.getByRole("row", { name: "result of tools/list" });
  for (const name of [/^10$/, /^\d+ ms$/, /editor to agent/]) {
    await row.getByRole("gridcell", { name }).first().waitFor();
  }
  // Cells and headers match, whichever columns are shown.
  const placesOf = (cells: Locator): Promise<readonly (string | null)[]> =>
    cells.evaluateAll((all) => all.map((one) => one.getAttribute("aria-colindex")));
  const ofHeads = await placesOf(table.getByRole("columnheader"));
  expect(await placesOf(row.getByRole("gridcell"))).toEqual(ofHeads);
});

/** The pixels of a part of the screen. */
async function pixelsOf(
  place: Locator,
): Promise<{ width: number; height: number; at(x: number, y: number): string }> {
  const image = UPNG.decode(new Uint8Array(await place.screenshot()).buffer);
  const [data = new ArrayBuffer(0)] = UPNG.toRGBA8(image);
  const bytes = new Uint8Array(data);
  const { width, height } = image;
  const at = (x: number, y: number): string =>
    bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join();
  return { width, height, at };
}

/** How many pixels of the first `columns` differ from the background, the most frequent colour. */
async function inkOf(place: Locator, columns: number): Promise<number> {
  const { width, height, at } = await pixelsOf(place);
  const counts = new Map<string, number>();
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < height; y += 1) counts.set(at(x, y), (counts.get(at(x, y)) ?? 0) + 1);
  const [[background] = [""]] = [...counts].sort(([, one], [, other]) => other - one);
  let ink = 0;
  for (let x = 0; x < columns; x += 1)
    for (let y = 0; y < height; y += 1) ink += at(x, y) === background ? 0 : 1;
  return ink;
}

async function forced(page: Page, dark: boolean): Promise<void> {
  await page.emulateMedia({ forcedColors: "active", colorScheme: dark ? "dark" : "light" });
  await expect
    .poll(() => page.evaluate<boolean>('matchMedia("(forced-colors: active)").matches'))
    .toBe(true);
}

test.each([false, true])(
  "in forced colours (dark: %s) added and removed lines, refusals and the selection are distinguishable",
  async (dark) => {
    const page = await site.connected();
    await page.getByTestId("filter").waitFor();
    await openTab(page, "Raw");
    await page.locator("textarea.raw").fill('{"jsonrpc":"2.0","id":99,"method":"no/such"}');
    await page.getByTestId("resend").click();
    await page.getByRole("row", { name: "error of no/such" }).waitFor();
    await forced(page, dark);
    const review = await askForChange(page);
    const added = review.locator(".cm-changedLine").first();
    const removed = review.locator(".cm-deletedLine").first();
    const plain = review.locator(".cm-line:not(.cm-changedLine)").first();
    // Added and removed lines start with a sign each, and the signs differ.
    const [ofAdded, ofRemoved, ofPlain] = [
      await inkOf(added, 9),
      await inkOf(removed, 9),
      await inkOf(plain, 9),
    ];
    expect(new Set([ofAdded, ofRemoved, ofPlain]).size).toBe(3);
    const refused = page.getByRole("row", { name: "error of no/such" });
    const usual = page.getByRole("row", { name: "result of tools/list" });
    expect(await inkOf(refused, 3)).toBeGreaterThan((await inkOf(usual, 3)) + 20);
    await usual.click();
    const { width, height, at } = await pixelsOf(usual);
    // A line surrounds it.
    const corners = [at(1, 1), at(width - 2, 1), at(1, height - 3), at(width - 2, height - 3)];
    expect(new Set(corners).size).toBe(1);
    expect(corners[0]).not.toBe(at(6, 4));
  },
);
