import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  connectClient,
  openFile,
  openFixture,
  openLive,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const BEDS = "# Beds\n\nTomatoes\n\nBeans\n\nPeas\n";

/** A page with a pending diff whose file is written meanwhile: one line by both sides, one by the agent alone. */
async function openConflict() {
  const { place, link } = await openFixture();
  const beds = write(place, "beds.md", BEDS);
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const client = await connectClient(place);
  const edit = client.edit(beds, BEDS.replace("Tomatoes", "Cherries").replace("Peas", "Leeks"));
  const review = page.getByTestId("review");
  await review.getByRole("button", { name: "Accept hunk 2 of 2, line 7" }).waitFor();
  expect(await review.getByTestId("conflicts").count()).toBe(0);
  const mine = BEDS.replace("Tomatoes", "Potatoes");
  writeFileSync(beds, mine);
  await review.getByTestId("conflicts").getByText("1 changed on both sides").waitFor();
  return { page, review, edit, mine };
}

test("a hunk whose lines both sides have changed is marked, counted and named, and the person chooses", async () => {
  const { page, review, edit, mine } = await openConflict();
  expect(await review.locator(".cm-conflict").allInnerTexts()).toEqual(["Changed on both sides"]);
  const own = review.getByRole("button", {
    name: "Reject hunk 1 of 2, line 3, changed on both sides",
  });
  await own.waitFor();
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await lookAs(page, looks.light);
  await own.click();
  await expect.poll(() => review.locator(".cm-conflict").count()).toBe(0);
  expect(await review.getByTestId("conflicts").count()).toBe(0);
  await review.getByRole("button", { name: "Undo the last decision" }).click();
  await review.getByTestId("conflicts").waitFor();
  await own.click();
  await page.keyboard.press("Alt+a");
  expect((await edit.result).written).toBe(mine.replace("Peas", "Leeks"));
});

test("side by side, the mark is beside the lines that are there now", async () => {
  const { page, review } = await openConflict();
  await review.getByRole("button", { name: "Side by side" }).click();
  const marked = review.getByLabel("Current text of beds.md").locator(".cm-conflict");
  await marked.waitFor();
  expect(await review.locator(".cm-conflict").count()).toBe(1);
  for (const name of ["light", "dark"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, `side by side, ${name}`);
  }
});

test("unsaved text typed into the line of a pending diff is marked on its hunk, and nothing is lost", async () => {
  const { page, place } = await openLive(site);
  const beds = write(place, "beds.md", BEDS);
  await openFile(page, "beds.md");
  const text = page.getByLabel("Text of beds.md", { exact: true });
  await text.getByText("Tomatoes").click();
  const client = await connectClient(place);
  const edit = client.edit(beds, BEDS.replace("Tomatoes", "Cherries").replace("Peas", "Leeks"));
  const waits = page.getByTestId("reviews-wait");
  await waits.waitFor();
  await page.keyboard.press("End");
  await page.keyboard.type(" and herbs");
  await waits.getByRole("button").click();
  const review = page.getByTestId("review");
  await review.getByTestId("conflicts").getByText("1 changed on both sides").waitFor();
  expect(await review.locator(".cm-conflict").allInnerTexts()).toEqual(["Changed on both sides"]);
  await review
    .getByRole("button", { name: "Reject hunk 1 of 2, line 3, changed on both sides" })
    .click();
  await page.keyboard.press("Alt+a");
  const both = BEDS.replace("Tomatoes", "Tomatoes and herbs").replace("Peas", "Leeks");
  expect((await edit.result).written).toBe(both);
  await expect.poll(() => readFileSync(beds, "utf8")).toBe(both);
  await text.getByText("Tomatoes and herbs").waitFor();
  await text.getByText("Leeks").waitFor();
});
