import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import {
  connectClient,
  openFixture,
  openLive,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Looks like a comment and ends the access check; the other characters are invisible, or look like spaces. */
const HIDING = [
  "if (level !== \u202e\u2066// only for admins\u2069 \u2066) {",
  "const pass\u200bword = 1;\u00a0",
  "a\u{e0041}b\u3164c\u034fd\u2800e\ufe0ff\u180eg\u17b4h\x1b[8mi",
  "👩🏽‍🚀 🏳️‍🌈 می‌خواهم क्‍ष",
];
const NUMBERS = [
  ...["U+202E", "U+2066", "U+2069", "U+2066", "U+200B", "U+00A0", "U+E0041", "U+3164"],
  ...["U+034F", "U+2800", "U+FE0F", "U+180E", "U+17B4", "U+001B"],
];
/** The whole text of the page and its editors; characters that readers cannot see must not occur in it. */
const RAW = /[\u202a-\u202e\u2066-\u2069\u200b\u3164\u2800\u180e]|\u034f|\u17b4|\u{e0041}/u;

function shown(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const texts = [];
    const read = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ALL);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.nodeType === Node.TEXT_NODE && !node.parentElement?.closest("script, style")) {
          texts.push(node.data);
        }
        if (node.shadowRoot) read(node.shadowRoot);
        for (const name of ["title", "aria-label", "value"]) {
          texts.push(node.getAttribute?.(name) ?? "");
        }
      }
    };
    read(document);
    return texts.join("\\n");
  })()`);
}

test("a review shows every hidden character, counts those it adds, and accepts them as they were sent", async () => {
  const { place, page } = await openLive(site);
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  writeFileSync(file, "old \u202b line\nsame\n");
  const proposed = `${HIDING.join("\n")}\nsame\n`;
  const edit = client.edit(file, proposed);
  const review = page.getByTestId("review");
  const warning = review.getByTestId("added-hidden");
  await warning.waitFor();
  expect(await warning.getAttribute("role")).toBe("alert");
  expect(await warning.textContent()).toMatch(
    /^This proposal adds 14 hidden characters: U\+2066 left-to-right isolate \(2\), /,
  );
  const text = page.getByLabel("Proposed text of notes.md");
  const pills = text.locator(".cm-line .cm-hidden-character");
  await expect.poll(() => pills.allTextContents()).toEqual(NUMBERS);
  expect(await pills.first().getAttribute("aria-label")).toBe("U+202E right-to-left override");
  // The library renders deleted text.
  const deleted = text.locator(".cm-deletedChunk .cm-hidden-character");
  await expect.poll(() => deleted.allTextContents()).toEqual(["U+202B"]);
  expect(await text.textContent()).toContain("👩🏽‍🚀 🏳️‍🌈 می‌خواهم क्‍ष");
  await page.getByRole("row", { name: "openDiff" }).first().click();
  await page.locator(".json .hidden-character").first().waitFor();
  expect(RAW.exec(await shown(page))?.[0]).toBeUndefined();
  expect(await axeComplaints(page)).toEqual([]);
  await review.locator(".actions").getByRole("button", { name: "Accept" }).click();
  expect((await edit.result).written).toBe(proposed);
  expect(readFileSync(file, "utf8")).toBe(proposed);
});

test("names, tabs, an open file and a frame show their hidden characters", async () => {
  const { place, link } = await openFixture();
  const name = "gpj.\u202ecod\u200b.md";
  write(place, name, HIDING.join("\n"));
  const page = await openPage(site, link);
  await untilLive(page);
  await page.getByRole("treeitem", { name: "gpj." }).click();
  await page.getByLabel("Text of gpj.\\u202ecod\\u200b.md").waitFor();
  await expect
    .poll(() => page.locator(".cm-line .cm-hidden-character").allTextContents())
    .toEqual(NUMBERS);
  for (const place of [".tree", ".files .tab", ".open-file .bar .path"]) {
    const pills = page.locator(`${place} .hidden-character`);
    await expect
      .poll(() => pills.allTextContents(), { message: place })
      .toEqual(["U+202E", "U+200B"]);
  }
  expect(RAW.exec(await shown(page))?.[0]).toBeUndefined();
});
