import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { framesOf, Site } from "./site.ts";

interface TourFile {
  readonly id: string;
  readonly steps: readonly unknown[];
  readonly wire: readonly string[];
}

const folder = new URL("../../packages/web-playground/tours/", import.meta.url);
const tours = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as TourFile,
);

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await Site.open();
  page = await site.page();
});
afterAll(async () => {
  expect(site.complaints).toEqual([]);
  await site.close();
});

/** The address is read when the page loads. */
async function open(fragment: string): Promise<void> {
  await page.goto(`${site.origin}/${fragment}`);
  await page.reload();
}

test.each(tours)("$id plays to its end [playground:1:fixtures]", async ({ id, steps, wire }) => {
  await open(`#tour=${id}&play=no`);
  const step = page.getByTestId("step");
  await page.getByText(`0/${steps.length}`).waitFor();
  await page.getByLabel("Speed").selectOption("10");
  for (let taken = 1; taken <= steps.length; taken += 1) {
    await step.click();
    await page.getByText(`${taken}/${steps.length}`).waitFor();
    // The virtual clock runs ten times as fast.
    await page.waitForTimeout(60);
  }
  await expect.poll(() => framesOf(page)).toBe(wire.length);
});

test("a tour that does not exist is named, and the page goes on [playground:bad:unknown-tour]", async () => {
  await open("#tour=nothing");
  await page.getByText("There is no tour called nothing.").waitFor();
  await expect.poll(() => framesOf(page)).toBeGreaterThan(0);
});
