import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectClient, openFile, openLive } from "./live-fixture.ts";
import { expectGoodLook, expectToFit } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

test("each of more than 20,000 files is listed, and is opened by a part of its path", async () => {
  const { page, place } = await openLive(site);
  for (let folder = 0; folder < 42; folder += 1) {
    const at = join(place.folder, `part-${folder}`);
    mkdirSync(at);
    for (let file = 0; file < 500; file += 1) writeFileSync(join(at, `file-${file}.txt`), "");
  }
  writeFileSync(join(place.folder, "part-41/target.md"), "Here.\n");
  await page.reload();
  const tree = page.getByRole("tree");
  await tree.getByText("part-0", { exact: true }).click();
  expect(await tree.getByRole("treeitem").count()).toBeLessThan(150);
  await tree.press("End");
  await tree.getByText("notes.md").waitFor();
  expect(await page.getByText("Not all files are listed").count()).toBe(0);

  await page.keyboard.press("ControlOrMeta+p");
  const field = page.getByTestId("quick-open");
  await page.getByText("21003 files").waitFor();
  await field.fill("41 targ");
  await page.getByText("1 file", { exact: true }).waitFor();
  await expectGoodLook(page, "quick open", "dialog");
  await page.keyboard.press("Enter");
  await page.getByLabel("Text of part-41/target.md").getByText("Here.").waitFor();
});

test("a mention has exactly the selected lines: part of one, or one by a triple click", async () => {
  const { page, place } = await openLive(site);
  const client = await connectClient(place);
  await openFile(page, "notes.md");
  const text = page.getByLabel("Text of notes.md");
  const mention = page.getByTestId("mention");
  await expect.poll(() => mention.textContent()).toBe("Mention file");
  await text.getByText("Water").click({ clickCount: 3 });
  await expect.poll(() => mention.textContent()).toBe("Mention line 3");
  await mention.click();
  await client.until("the line", () => client.promptInput.endsWith("@notes.md#L3 "));
  await text.getByText("And the").dblclick();
  await expect.poll(() => mention.textContent()).toBe("Mention line 4");
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(() => mention.textContent()).toBe("Mention lines 3 to 4");
});

test("at 400 % zoom and 320 px everything reflows; a text is found in its file", async () => {
  const { page } = await openLive(site);
  await openFile(page, "notes.md");
  const text = page.getByLabel("Text of notes.md");
  await text.click();
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type("beans");
  await page.keyboard.press("Enter");
  await page.locator(".cm-searchMatch-selected").getByText("beans").waitFor();
  await expectGoodLook(page, "find in a file", ".editor-pane");
  // Equals 1280 x 1024 at a zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await expectToFit(page, "400 %");
  for (const name of [/^Mention/, /^Save$/, /^Commands/]) {
    const button = page.getByRole("button", { name }).first();
    await button.scrollIntoViewIfNeeded();
    const { x = -1, width = 999 } = (await button.boundingBox()) ?? {};
    expect([String(name), x >= 0, x + width <= 320]).toEqual([String(name), true, true]);
  }
  expect((await text.boundingBox())?.height).toBeGreaterThan(60);
});
