import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openFile, openLive, write } from "./live-fixture.ts";
import { expectGoodLook } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Opens the search, and types. */
async function searchFor(page: Page, text: string) {
  await page.keyboard.press("Control+Shift+f");
  await page.getByTestId("search-files").fill(text);
  return page.getByRole("dialog");
}

/** Expects this line to be selected, as the button for mentions names it. */
async function expectSelected(page: Page, line: number): Promise<void> {
  await page.getByRole("button", { name: `Mention line ${line}`, exact: true }).waitFor();
}

test("a text is found in all files of the folder, unsaved text included, and opens at its line", async () => {
  const { page, place } = await openLive(site);
  write(place, "src/more.ts", `${"\n".repeat(200)}// the Beans of may\n`);
  write(place, ".env", "BEANS=secret\n");
  write(place, "beans.bin", Buffer.from("\u0000beans"));
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("typed beans ");
  const dialog = await searchFor(page, "beans");
  await dialog.getByText("3 lines in 2 files").waitFor();
  const lines = dialog.getByRole("option");
  expect(await lines.allInnerTexts()).toEqual([
    expect.stringMatching(/^typed beans # Notes\s*notes\.md:1/),
    expect.stringMatching(/^And the beans\.\s*notes\.md:4/),
    expect.stringMatching(/^\/\/ the Beans of may\s*more\.ts:201\s*src/),
  ]);
  await expectGoodLook(page, "search in files", "dialog");
  await dialog.getByLabel("Match case").check();
  await dialog.getByText("2 lines in 1 file").waitFor();
  await dialog.getByLabel("Match case").uncheck();
  await dialog.getByText("3 lines in 2 files").waitFor();
  await lines.nth(2).click();
  await page.getByLabel("Text of src/more.ts").getByText("the Beans of may").waitFor();
  await expectSelected(page, 201);
  // The results are still there, at the same line.
  await page.keyboard.press("Control+Shift+f");
  await dialog.getByRole("option", { selected: true, name: /more\.ts/ }).waitFor();
  await page.getByTestId("search-files").press("ArrowUp");
  await page.getByTestId("search-files").press("Enter");
  await page.getByLabel("Text of notes.md").waitFor();
  await expectSelected(page, 4);
});

test("in thousands of files only the newest query is searched for, and the list is short to draw", async () => {
  const { page, place } = await openLive(site);
  for (let folder = 0; folder < 10; folder += 1) {
    const at = join(place.folder, `part-${folder}`);
    mkdirSync(at);
    for (let file = 0; file < 300; file += 1)
      writeFileSync(join(at, `file-${file}.txt`), `needle ${file}\n`.repeat(3));
  }
  const dialog = await searchFor(page, "needle");
  await page.getByTestId("search-files").fill("needle 299");
  await dialog.getByText("30 lines in 10 files").waitFor();
  await page.getByTestId("search-files").fill("needle");
  await dialog.getByText("9000 lines in 3000 files").waitFor();
  expect(await dialog.getByRole("option").count()).toBeLessThan(100);
  await page.getByTestId("search-files").fill("n".repeat(50));
  await dialog.getByText(/^Nothing found in 300\d files$/).waitFor();
});

test("the files of the simulated editor are searched by the same dialog", async () => {
  const page = await site.connected();
  // When the page is idle, it installs the keys, then selects the first frame.
  await page.getByRole("row", { selected: true }).waitFor();
  const dialog = await searchFor(page, "water");
  await dialog.getByText(/^\d+ lines? in \d+ files?$/).waitFor();
  const place = await dialog.locator(".place").first().getAttribute("title");
  await page.getByTestId("search-files").press("Enter");
  await page.getByLabel(`Text of ${place?.replace(/:\d+$/, "")}`, { exact: true }).waitFor();
  await expectSelected(page, Number(place?.split(":").at(-1)));
});
