import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openFile, openLive, write } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const source =
  "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";

interface KeptComments {
  readonly comments: readonly { readonly id: string; readonly text: string }[];
  readonly ghostMarkers: readonly { readonly line: number }[];
}

function kept(folder: string): KeptComments {
  return JSON.parse(readFileSync(join(folder, "sum.js.comments"), "utf8")) as KeptComments;
}

async function openSum(flags: readonly string[]) {
  const fixture = await openLive(site, flags);
  const { page, place } = fixture;
  write(place, "sum.js", source);
  await page.reload();
  await openFile(page, "sum.js");
  return { ...fixture, folder: place.folder };
}

async function addOn(page: Page, line: number, text: string): Promise<void> {
  await page
    .locator(".cm-comment-gutter .cm-gutterElement")
    .nth(line - 1)
    .click();
  await page.getByTestId("comment-text").fill(text);
  await page.getByTestId("comment-submit").click();
  await page.locator(".comment-card").filter({ hasText: text }).waitFor();
}

test("comments of a folder are stored beside its files, follow unsaved text, and show changes by others [playground:6:comments]", async () => {
  const { page, folder, place } = await openSum(["--comments"]);
  await page.getByTestId("comments").click();
  await addOn(page, 5, "Why two?");
  expect(kept(folder)).toMatchObject({
    comments: [{ text: "Why two?", tag: "TODO" }],
    ghostMarkers: [{ line: 5, anchor: "two" }],
  });
  await page.getByLabel("Text of sum.js").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// Not saved\n");
  const card = page.locator(".comment-card");
  await card.getByText("line 6").waitFor();
  await page.getByTestId("comment-resolve").click();
  await card.locator(".comment-state", { hasText: "resolved" }).waitFor();
  expect(kept(folder).ghostMarkers).toMatchObject([{ line: 6 }]);
  // Another program that knows nothing of the page.
  const stored = JSON.parse(readFileSync(join(folder, "sum.js.comments"), "utf8"));
  stored.comments[0].text = "Why two, and not three?";
  write(place, "sum.js.comments", JSON.stringify(stored));
  await card.getByText("Why two, and not three?").waitFor();
  write(place, "other.js", source);
  write(place, "other.js.comments", JSON.stringify({ ...stored, filePath: "other.js" }));
  await page.getByTestId("comment-search").fill("file:other.js three");
  await page.getByText("Found 1 comment in all files.").waitFor();
  await card.getByText("other.js").waitFor();
  write(place, "sum.js.comments", "{");
  await page.getByTestId("comment-search").fill("");
  await page.getByRole("alert").getByText("Comment file is corrupted").waitFor();
  expect(readFileSync(join(folder, "sum.js.comments"), "utf8")).toBe("{");
});

test("no typed text is lost: by another file, an agent's edit, or the deletion of an answered comment", async () => {
  const { page, folder, place } = await openSum(["--comments"]);
  await page.getByTestId("comments").click();
  await addOn(page, 5, "Why two?");
  write(place, "other.js", source);
  write(place, "other.js.comments", "{");
  await page.locator(".cm-comment-gutter .cm-gutterElement").nth(1).click();
  await page.getByLabel("Comment on line 2").fill("Half a thought");
  await page.getByRole("treeitem", { name: "other.js", exact: true }).click();
  await page.getByLabel("Text of other.js").waitFor();
  await page.getByRole("alert").getByText("Comment file is corrupted").waitFor();
  // Neither the comments of the other file nor the note that there are none.
  await expect
    .poll(() => page.locator(".comment-card, .cm-comment, .comments-pane .empty").count())
    .toBe(0);
  await expect.poll(() => page.getByTestId("comment-add").isEnabled()).toBe(true);
  const form = page.getByTestId("comment-text");
  const draft = page.getByLabel("Comment on line 2 of sum.js");
  expect(await draft.inputValue()).toBe("Half a thought");
  await page.getByRole("treeitem", { name: "sum.js", exact: true }).click();
  await page.locator(".cm-comment-draft").waitFor();
  write(place, "sum.js", `// first\n${source}// last\n`);
  await page.getByLabel("Comment on line 3").waitFor();
  await page.getByTestId("comment-submit").click();
  await page.locator(".comment-card").filter({ hasText: "Half a thought" }).waitFor();
  expect(
    kept(folder)
      .ghostMarkers.map(({ line }) => line)
      .sort(),
  ).toEqual([3, 6]);
  const question = page.locator(".comment-card").filter({ hasText: "Why two?" });
  await question.locator(".comment-head").click();
  await question.getByTestId("comment-reply").press("Enter");
  await expect
    .poll(() => page.evaluate("document.activeElement.dataset.testid"))
    .toBe("comment-text");
  await page.keyboard.type("Since one");
  await page.getByLabel("Text of sum.js").getByText("return 1").click();
  const stored = JSON.parse(readFileSync(join(folder, "sum.js.comments"), "utf8"));
  const [left] = stored.comments.filter(({ text }: { text: string }) => text !== "Why two?");
  stored.comments = [{ ...left, text: "Changed\u202e" }];
  write(place, "sum.js.comments", JSON.stringify(stored));
  await page.locator(".comment-card").filter({ hasText: "Changed" }).waitFor();
  expect(await question.getByTestId("comment-text").inputValue()).toBe("Since one");
  await page.locator(".cm-comment").first().hover();
  await page.locator(".cm-comment-peek").getByText("Changed\\u202e").waitFor();
  await question.getByTestId("comment-submit").click();
  await page.getByRole("alert").getByText("it was deleted").waitFor();
  expect(await form.inputValue()).toBe("Since one");
});

test("without --comments the page explains how to see them", async () => {
  const { page } = await openSum([]);
  await page.getByTestId("comments").click();
  await page.getByText("idewire serve --web --comments", { exact: true }).waitFor();
  expect(await page.locator(".cm-comment").count()).toBe(0);
});
