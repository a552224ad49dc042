import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { runCommand } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { type SitePageOptions, useSite } from "./site.ts";

const site = useSite();

const path = "src/watering.ts";

/** The sample's program, open in the editor. */
async function openProgram(options: SitePageOptions = {}): Promise<Page> {
  const page = await site.connected(options);
  await page.getByRole("button", { name: "watering.ts" }).click();
  await page.getByLabel(`Text of ${path}`).waitFor();
  await page.getByTestId("comments").waitFor();
  return page;
}

/** The comment with a text, in the list. */
function card(page: Page, text: string): Locator {
  return page.locator(".comment-card").filter({ hasText: text });
}

/** The marks in the editor's gutter from top to bottom, each with its line number. */
function marks(page: Page): Promise<readonly string[]> {
  return page.locator(".cm-editor").evaluate((editor) => {
    const texts = (selector: string) =>
      [...editor.querySelectorAll(selector)].map((one) => {
        const { top } = one.getBoundingClientRect();
        return { top, text: one.textContent ?? "" };
      });
    const lines = texts(".cm-lineNumbers .cm-gutterElement").filter(({ text }) => text !== "");
    return texts(".cm-comment").map(({ top, text }) => {
      const line = lines.findLast((each) => each.top <= top + 4);
      return `${line?.text} ${text}`;
    });
  });
}

async function writeComment(page: Page, text: string, tag = "TODO"): Promise<void> {
  await page.getByTestId("comment-tag").selectOption(tag);
  await page.getByTestId("comment-text").fill(text);
  await page.keyboard.press("Control+Enter");
  await card(page, text).waitFor();
}

test("a comment is added at the edge of the editor, answered, resolved, deleted and put back [playground:1:comments]", async () => {
  const page = await openProgram();
  await page.getByTestId("comments").click();
  await page.getByText("No comments on this file").waitFor();
  await page.locator(".cm-comment-gutter .cm-gutterElement").nth(3).click();
  await page.getByTestId("comment-text").fill("Take off the rain");
  await page.getByTestId("comment-submit").click();
  await expect.poll(() => marks(page)).toEqual(["4 T"]);
  await page.getByTestId("comment-reply").click();
  await page.getByTestId("comment-text").fill("And the dew");
  await page.keyboard.press("Control+Enter");
  await card(page, "And the dew").waitFor();
  await page.getByTestId("comment-resolve").click();
  // The buttons "Resolve" and "Delete" are adjacent: read as one text, they contain "resolved" too.
  await page.locator(".comment-state", { hasText: "resolved" }).waitFor();
  await page.getByTestId("comments").getByRole("img", { name: "1 comment" }).waitFor();
  // The comment is in a file of the workspace, next to the code.
  const file = page.getByRole("button", { name: "watering.ts.comments" });
  await file.waitFor();
  await page.getByTestId("comment-delete").click();
  await file.waitFor({ state: "detached" });
  await expect.poll(() => marks(page)).toEqual([]);
  await page.getByTestId("comment-undo").click();
  await card(page, "And the dew").waitFor();
  await expect.poll(() => marks(page)).toEqual(["4 T"]);
  await file.click();
  await page.getByText('"text": "And the dew"').waitFor();
});

test("a comment that was added has the focus, however late it is drawn", async () => {
  const page = await openProgram();
  const slow = await page.context().newCDPSession(page);
  for (const [key, text] of [
    ["Control+Home", "First"],
    ["Control+End", "Last"],
  ] as const) {
    await page.getByLabel(`Text of ${path}`).focus();
    await page.keyboard.press(key);
    await page.keyboard.press("Control+F9");
    await page.getByTestId("comment-text").fill(text);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    await page.keyboard.press("Control+Enter");
    const focused = () => page.evaluate("document.activeElement.parentElement.innerText");
    await expect.poll(focused).toContain(text);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  }
});

test("by keys alone: comment on the selected lines, go to the next one, edit it, find it", async () => {
  const page = await openProgram();
  const text = page.getByLabel(`Text of ${path}`);
  await text.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+F9");
  const focused = () => page.evaluate<string>("document.activeElement.dataset.testid");
  await expect.poll(focused).toBe("comment-text");
  await page.keyboard.type("Where is this from?");
  await page.keyboard.press("Control+Enter");
  const first = card(page, "Where is this from?");
  await first.getByText("lines 1 to 2").waitFor();
  await text.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Control+F9");
  await page.getByText("Comment on line 9").waitFor();
  await expect.poll(focused).toBe("comment-text");
  await page.keyboard.type("Ends here");
  await page.keyboard.press("Control+Enter");
  await card(page, "Ends here").waitFor();
  await text.focus();
  await page.keyboard.press("Alt+F9");
  await expect
    .poll(() => page.getByTestId("comments-announcement").textContent())
    .toContain("line 1:");
  await page.keyboard.press("Shift+Alt+F9");
  await expect
    .poll(() => page.getByTestId("comments-announcement").textContent())
    .toContain("Ends here");
  await page.keyboard.press("Alt+F9");
  await expect
    .poll(() => page.getByTestId("comments-announcement").textContent())
    .toContain("line 1:");
  // The gutter is hidden from screen readers: the editor announces comments when the cursor reaches them.
  await text.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const announcedText = () => page.locator(".cm-announced").textContent();
  await expect.poll(announcedText).toContain("To do by you: Where is this from?");
  // Back on a line with a comment, which is now shown.
  await page.keyboard.press("Control+F9");
  await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("comment-head");
  await first.getByTestId("comment-edit").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("comment-text").fill("Which almanac?");
  await page.getByTestId("comment-tag").selectOption("QUESTION");
  await page.getByTestId("comment-submit").press("Enter");
  await card(page, "Which almanac?").getByText("Question").waitFor();
  await runCommand(page, "Search comments");
  await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("search");
  await page.keyboard.type("tag:QUESTION author:you is:open");
  await page.getByText("Found 1 comment in all files.").waitFor();
  await card(page, "Which almanac?").getByText(path).waitFor();
  await page.getByTestId("comment-search").fill("is:lost");
  await page.getByRole("alert").getByText("is:lost: expected one of is:open").waitFor();
});

test("a comment follows typed text, so does a draft; once saved, it reports when its code is deleted, and where it may belong [playground:1:comments-follow]", async () => {
  const page = await openProgram();
  const text = page.getByLabel(`Text of ${path}`);
  await text.getByText("return litres * squareMetres").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+F9");
  await writeComment(page, "Round it", "FIXME");
  await expect.poll(() => marks(page)).toEqual(["7 F"]);
  await page.locator(".cm-comment-gutter .cm-gutterElement").nth(2).click();
  await page.getByLabel("Comment on line 3").fill("Half a thought");
  await text.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// New\n\n");
  await expect.poll(() => marks(page)).toEqual(["9 F"]);
  const draft = page.getByLabel("Comment on line 5");
  expect(await draft.inputValue()).toBe("Half a thought");
  expect(await page.locator(".cm-comment-draft").count()).toBe(1);
  await draft.press("Escape");
  await page.locator(".cm-comment-draft").waitFor({ state: "detached" });
  await card(page, "Round it").getByText("line 9").waitFor();
  await text.focus();
  await page.keyboard.press("Control+s");
  await card(page, "Moved along with its code.").getByText("line 9").waitFor();
  await text.getByText("return litres * squareMetres").click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(" + 1");
  await page.keyboard.press("Control+s");
  await card(page, "Its code has changed").waitFor();
  await text.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(
    "// Nothing here\nfunction other() {\nreturn litres + squareMetres;\n}\n",
  );
  await page.keyboard.press("Control+s");
  const lost = card(page, "Its code was deleted.");
  await lost.getByText("It was on return litres * squareMetres;").waitFor();
  await expect.poll(() => marks(page)).toEqual([]);
  await lost.getByTestId("comment-candidate").first().click();
  await expect.poll(() => marks(page)).toEqual(["3 F"]);
  await lost.waitFor({ state: "detached" });
});

test("a mark shows its comment to the pointer, and each tag has a letter of its own", async () => {
  const page = await openProgram();
  await page.getByTestId("comments").click();
  const tags = ["TODO", "FIXME", "NOTE", "STAR", "QUESTION"];
  for (const [index, tag] of tags.entries()) {
    await page.locator(".cm-comment-gutter .cm-gutterElement").nth(index).click();
    await writeComment(page, `About ${tag}`, tag);
  }
  await expect.poll(() => marks(page)).toEqual(["1 T", "2 F", "3 N", "4 *", "5 ?"]);
  await page.locator(".cm-comment-note").hover();
  await page.locator(".cm-comment-peek").getByText("About NOTE").waitFor();
  await page.mouse.move(700, 500);
  await page.locator(".cm-comment-peek").waitFor({ state: "detached" });
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, `comments, ${name}`, ".editor-pane");
  }
});

test("a past moment shows the comments of that time, and cannot be changed", async () => {
  const page = await openProgram();
  await page.getByTestId("comments").click();
  await page.locator(".cm-comment-gutter .cm-gutterElement").nth(1).click();
  await writeComment(page, "First");
  await page.getByLabel(`Text of ${path}`).focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByTestId("scrubber").press("Home");
  await page.getByText(/Viewing event/).waitFor();
  await expect.poll(() => page.locator(".comment-card").count()).toBe(0);
  await page.getByRole("button", { name: "Back to now" }).click();
  await card(page, "First").waitFor();
});
