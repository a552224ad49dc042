import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import { openWithChange } from "./actions.ts";
import {
  connectClient,
  openFile,
  openFixture,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const BEDS = "# Beds\n\nTomatoes\nBeans\n\nPeas\n\nCarrots\n";
const WRITTEN = "# Beds\n\nWater the tomatoes\nBeans\n\nPeas\n\nPull the carrots\n";

/** Opens the page of a folder with an agent that has a prompt of its person. */
async function openChanges() {
  const { place, link } = await openFixture();
  const beds = write(place, "beds.md", BEDS);
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const client = await connectClient(place);
  await client.prompt("water them");
  const list = page.getByTestId("changes");
  const change = (name: string) => list.getByRole("button", { name });
  return { place, page, client, beds, list, change };
}

/** Writes a file as Claude Code does in a mode without questions. */
async function writeUnreviewed(client: ClaudeClient, path: string, text: string): Promise<void> {
  client.permissionMode = "acceptEdits";
  await client.edit(path, text).result;
  client.permissionMode = "default";
}

const words = (page: Page) => page.getByTestId("change-words");

test("an answered diff stays in the list of changes, and can be read", async () => {
  const { place, page, client, beds, change } = await openChanges();
  const rejected = client.edit(beds, WRITTEN);
  await change("beds.md").getByText("waiting").waitFor();
  await page.getByTestId("review").getByRole("button", { name: "Reject" }).first().click();
  await rejected.result;
  await change("beds.md").getByText("rejected").waitFor();
  await change("beds.md").getByText("+2 -2").waitFor();
  await change("beds.md").click();
  const review = page.getByTestId("past-review");
  await review.getByLabel("Proposed text of beds.md").getByText("Pull the carrots").waitFor();
  expect(await review.locator(".path").textContent()).toContain("wanted to change beds.md");
  expect(await review.getByRole("button", { name: /hunk \d/ }).count()).toBe(0);
  await openFile(page, "notes.md");
  expect(await review.count()).toBe(0);
  const accepted = client.edit(join(place.folder, "new.md"), "New\n");
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await accepted.result;
  await change("new.md").getByText("accepted").waitFor();
});

test("each hunk of an edit without a review is kept or undone, in the open file with its history", async () => {
  const { page, client, beds, list, change } = await openChanges();
  await openFile(page, "beds.md");
  await writeUnreviewed(client, beds, WRITTEN);
  await change("beds.md").getByText("written without a review").waitFor();
  await change("beds.md").click();
  const review = page.getByTestId("past-review");
  await review.getByRole("button", { name: "Undo hunk 2 of 2" }).waitFor();
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await lookAs(page, looks.light);
  await review.getByRole("button", { name: "Undo hunk 1 of 2" }).click();
  await expect.poll(() => readFileSync(beds, "utf8")).toBe(WRITTEN.replace("Water the t", "T"));
  await review.getByRole("button", { name: "Keep hunk 1 of 1" }).click();
  await change("beds.md").getByText("undone in part").waitFor();
  expect(await list.getByText("to decide").count()).toBe(0);
  await review.getByRole("button", { name: "Back" }).click();
  const text = page.getByLabel("Text of beds.md");
  await text.getByText("Tomatoes").waitFor();
  await text.click();
  await page.keyboard.press("Control+z");
  await text.getByText("Water the tomatoes").waitFor();
});

test("a hunk whose lines the person has changed since is refused with a message", async () => {
  const { page, client, beds, change } = await openChanges();
  await writeUnreviewed(client, beds, WRITTEN);
  await openFile(page, "beds.md");
  const text = page.getByLabel("Text of beds.md");
  await text.getByText("Water the tomatoes").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" daily");
  await change("beds.md").click();
  const review = page.getByTestId("past-review");
  await review.getByRole("button", { name: "Undo hunk 1 of 2" }).click();
  await words(page).getByText("its lines in beds.md have changed since").waitFor();
  await review.getByRole("button", { name: "Undo all" }).click();
  await words(page).getByText("1 hunk not undone").waitFor();
  await review.getByRole("button", { name: "Back" }).click();
  await text.getByText("Water the tomatoes daily").waitFor();
  await text.getByText("Carrots", { exact: true }).waitFor();
});

test("all edits of a turn are undone after one question, and those of an earlier turn stay", async () => {
  const { place, page, client, beds, change } = await openChanges();
  await writeUnreviewed(client, beds, WRITTEN);
  await change("beds.md").waitFor();
  await client.prompt("go on");
  const created = join(place.folder, "new.md");
  await writeUnreviewed(client, created, "New\n");
  await change("new.md").waitFor();
  await writeUnreviewed(client, join(place.folder, "notes.md"), "# Notes\n");
  await change("notes.md").click();
  await page.getByRole("button", { name: "Undo everything of this turn" }).click();
  await page
    .getByTestId("turn")
    .getByText("Undo the changes of 2 files: notes.md, new.md?")
    .waitFor();
  await page.getByRole("button", { name: "Undo them" }).click();
  await words(page).getByText("Undone in 2 files.").waitFor();
  expect(existsSync(created)).toBe(false);
  expect(readFileSync(join(place.folder, "notes.md"), "utf8")).toContain("beans");
  expect(readFileSync(beds, "utf8")).toBe(WRITTEN);
});

/** The vertical centre of a control on the page. */
async function middleOf(control: Locator): Promise<number> {
  const { y, height } = (await control.boundingBox()) ?? { y: -1, height: 0 };
  return Math.round(y + height / 2);
}

test("comments on lines of a proposal reject it, and the next prompt of the agent has them", async () => {
  const { page, client, beds } = await openChanges();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const edit = client.edit(beds, WRITTEN);
  const review = page.getByTestId("review");
  // The agent does not know the person's additions: line numbers are those of its proposal.
  await review.getByText("Pull the carrots").click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("Mine\n");
  await review.getByText("Pull the carrots").click();
  const start = review.getByRole("button", { name: "Comment on the selected lines" });
  const next = review.getByRole("button", { name: "Next hunk" });
  // It is in the row of the other tools.
  expect(await middleOf(start)).toBe(await middleOf(next));
  await start.click();
  const comment = review.getByRole("textbox", { name: "Line 8" });
  await comment.press("Escape");
  await comment.waitFor({ state: "detached" });
  await start.click();
  await comment.fill("Not before June.");
  await comment.press("Control+Enter");
  // The pointer hovers over no button.
  await page.mouse.move(0, 0);
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, `a comment to send, ${name}`);
  }
  await lookAs(page, looks.light);
  await review.getByRole("button", { name: "Send 1 comment, reject" }).click();
  expect((await edit.result).written).toBeUndefined();
  await page.getByText("Sent as a mention of beds.md.comments").waitFor();
  expect(readFileSync(`${beds}.comments`, "utf8")).toContain("> Pull the carrots");
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain("Not before June.");
  expect(JSON.stringify(await client.prompt(""))).toContain("@beds.md.comments");
});

test("without a server the changes of the simulated agent are listed, too, and stay readable", async () => {
  const page = await openWithChange(site);
  const list = page.getByTestId("changes");
  await list.getByRole("button", { name: "README.md" }).getByText("waiting").waitFor();
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await list.getByRole("button", { name: "README.md" }).getByText("accepted").waitFor();
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await lookAs(page, looks.light);
  await list.getByRole("button", { name: "README.md" }).click();
  const past = page.getByTestId("past-review");
  await past.getByText("Agent changed README.md").waitFor();
  await past.getByLabel("Proposed text of README.md").waitFor();
  expect(await past.getByRole("button", { name: /Keep|Undo all/ }).count()).toBe(0);
  await past.getByRole("button", { name: "Back" }).click();
  await past.waitFor({ state: "detached" });
});

test("a diff outside the folder has a banner, and is accepted only once confirmed", async () => {
  const { place, page, client } = await openChanges();
  const outside = join(place.folder, "..", "outside.md");
  const edit = client.edit(outside, "Outside\n");
  const review = page.getByTestId("review");
  await review.getByTestId("outside").getByText("Outside the folder.").waitFor();
  expect(await review.getByRole("button", { name: "Close" }).count()).toBe(0);
  await review.getByRole("button", { name: "Accept", exact: false }).first().click();
  await review.getByRole("button", { name: "Do not accept" }).click();
  expect(existsSync(outside)).toBe(false);
  await page.keyboard.press("Alt+a");
  await expectGoodLook(page, "asked");
  await review.getByRole("button", { name: "Accept outside the folder" }).click();
  expect((await edit.result).written).toBe("Outside\n");
});

test("unsent comments survive another change, a decision and a reload", async () => {
  const { place, page, client, beds, change } = await openChanges();
  await writeUnreviewed(client, beds, WRITTEN);
  await writeUnreviewed(client, join(place.folder, "notes.md"), "# Notes\n");
  await change("beds.md").click();
  const comments = page.getByTestId("line-comments");
  const write = async (text: string) => {
    await comments.getByRole("button", { name: "Comment on the selected lines" }).click();
    await comments.locator("textarea:focus").waitFor();
    await page.keyboard.type(text);
  };
  await write("Not before June.");
  await comments.getByRole("button", { name: "Add the comment" }).click();
  await write("And th");
  // The form does not take the focus from another field.
  const text = page.getByTestId("past-review").getByLabel("Proposed text of beds.md");
  await text.click();
  await page.getByTestId("past-review").getByRole("button", { name: "Keep hunk 1 of 2" }).click();
  await page.getByRole("button", { name: "Keep hunk 1 of 1" }).waitFor();
  expect(await comments.locator("textarea:focus").count()).toBe(0);
  await change("notes.md").click();
  await page.getByTestId("past-review").getByText("has changed notes.md").waitFor();
  expect(await comments.getByText("Not before June.").count()).toBe(0);
  await page.reload();
  await change("beds.md").click();
  await comments.getByText("Line 3: Not before June.").waitFor();
  await expect.poll(() => comments.locator("textarea").inputValue()).toBe("And th");
  await comments.getByRole("button", { name: "Send 1 comment" }).click();
  await page.getByText("Sent as a mention of beds.md.comments").waitFor();
  expect(await comments.locator("textarea").inputValue()).toBe("And th");
});

/** Cut texts: wider than their boxes, which do not scroll. */
function cutIn(list: Locator): Promise<readonly string[]> {
  return list.evaluate((root) =>
    [...root.querySelectorAll("span, time")]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .map(({ textContent }) => textContent ?? ""),
  );
}

test("a change is listed with its whole path, its agent and its time", async () => {
  const { page, place, client, list } = await openChanges();
  const path = "a folder with a long name/another folder/notes with a long name.md";
  await writeUnreviewed(client, write(place, path, "one\n"), "two\n");
  await writeUnreviewed(client, join(place.folder, "notes.md"), "two\n");
  const row = list.getByRole("button", { name: path });
  await row.getByText("written without a review").waitFor();
  await row.getByText("Claude Code").waitFor();
  for (const width of [1440, 900, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await cutIn(list), `${width}`).toEqual([]);
  }
});

test("at 320 px no part of a change covers another, and each can be reached", async () => {
  const { page, client, beds, change } = await openChanges();
  await page.setViewportSize({ width: 320, height: 640 });
  await writeUnreviewed(client, beds, WRITTEN);
  await change("beds.md").getByText("written without a review").scrollIntoViewIfNeeded();
  await change("beds.md").click();
  const review = page.getByTestId("past-review");
  await review.getByRole("button", { name: "Undo hunk 2 of 2" }).waitFor();
  const covered = () =>
    review.evaluate((root) => {
      const all = [...root.querySelectorAll(":scope > :not([hidden])")].map((one) =>
        one.getBoundingClientRect(),
      );
      return all.filter(({ top }, at) => at > 0 && top < (all[at - 1]?.bottom ?? 0) - 1).length;
    });
  expect(await covered()).toBe(0);
  await review.getByRole("button", { name: "Undo everything of this turn" }).click();
  expect(await covered()).toBe(0);
  await review.getByRole("button", { name: "Cancel" }).click();
  await review.getByRole("button", { name: "Undo hunk 2 of 2" }).click();
  await review.getByRole("button", { name: "Keep hunk 1 of 1" }).click();
  await change("beds.md").getByText("undone in part").waitFor();
});
