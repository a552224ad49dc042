import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openWithChange } from "./actions.ts";
import { connectClient, openFixture, openPage, untilLive, write } from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** A computed style of the first element, or of a part of it. */
function styleOf(of: Locator, property: string, part?: string): Promise<string | undefined> {
  return of.first().evaluate(
    (element, [name = "", pseudo]) => {
      const { getComputedStyle } = globalThis as unknown as StyledWindow;
      return getComputedStyle(element, pseudo)[name];
    },
    [property, part],
  );
}

/** The globals of a page that these tests use. */
interface StyledWindow {
  getComputedStyle(element: unknown, part?: string): Readonly<Record<string, string>>;
}

/** The page of a folder in which an agent proposes two changes. */
async function openTwo() {
  const { place, link } = await openFixture();
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const client = await connectClient(place);
  const edits = {
    notes: client.edit(join(place.folder, "notes.md"), "# Notes\n\nWater the beans.\n"),
    code: client.edit(join(place.folder, "src/deep.ts"), "export const one = 2;\n"),
  };
  const list = page.getByRole("navigation", { name: "Diffs to review" });
  await list.getByRole("button").nth(1).waitFor();
  return { page, client, edits, list };
}

async function pressedIn(page: Page): Promise<string> {
  const list = page.getByRole("navigation", { name: "Diffs to review" });
  return String(await list.getByRole("button", { pressed: true }).textContent());
}

test("pending diffs are a list; switching preserves each draft, and names its agent", async () => {
  const { page, edits, list } = await openTwo();
  const text = page.getByLabel("Proposed text of notes.md");
  await page.getByTestId("review").getByText("Claude Code proposes to change").waitFor();
  await list.getByRole("button", { name: "notes.md" }).click();
  await text.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Mine.");
  await list.getByRole("button", { name: "deep.ts" }).click();
  await page.getByLabel("Proposed text of src/deep.ts").waitFor();
  await list.getByRole("button", { name: "notes.md" }).click();
  await text.getByText("Mine.").waitFor();
  expect(await pressedIn(page)).toBe("notes.md");
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  expect((await edits.notes.result).written).toBe("# Notes\n\nWater the beans.\nMine.");
  await page.getByLabel("Proposed text of src/deep.ts").waitFor();
  expect(await list.count()).toBe(0);
});

test("the draft of each diff survives a reload, whether or not its review is open then", async () => {
  const { page, edits, list } = await openTwo();
  const type = async (path: string, text: string) => {
    await list.getByRole("button", { name: path.slice(path.lastIndexOf("/") + 1) }).click();
    await page.getByLabel(`Proposed text of ${path}`).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(text);
  };
  await type("notes.md", "Mine.");
  await type("src/deep.ts", "// Mine, too");
  await page.reload();
  await list.getByRole("button", { name: "deep.ts" }).click();
  await page.getByLabel("Proposed text of src/deep.ts").getByText("// Mine, too").waitFor();
  await list.getByRole("button", { name: "notes.md" }).click();
  await page.getByLabel("Proposed text of notes.md").getByText("Mine.").waitFor();
  await page.keyboard.press("Alt+a");
  expect((await edits.notes.result).written).toBe("# Notes\n\nWater the beans.\nMine.");
  await page.reload();
  await page.getByLabel("Proposed text of src/deep.ts").getByText("// Mine, too").waitFor();
});

test("a file that is chosen during a pending diff is shown, with the review one action away", async () => {
  const { page, edits } = await openTwo();
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  const text = page.getByLabel("Text of notes.md", { exact: true });
  await text.getByText("Water the tomatoes.").waitFor();
  await page.getByText("2 diffs wait for your answer.").waitFor();
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await lookAs(page, looks.light);
  // A hidden review is not answered.
  await text.click();
  await page.keyboard.press("Alt+a");
  await page.getByRole("button", { name: "Back to the review" }).click();
  await page.getByLabel("Proposed text of notes.md").waitFor();
  await page.keyboard.press("Alt+r");
  expect((await edits.notes.result).decision).toBe("rejected");
  // A file that is already open is one click away, too.
  await page.getByLabel("Proposed text of src/deep.ts").waitFor();
  const tabs = page.getByRole("navigation", { name: "Open files" });
  await tabs.getByRole("button", { name: "notes.md" }).click();
  await text.waitFor();
  await page.getByRole("button", { name: "1 diff to review" }).click();
  await page.getByLabel("Proposed text of src/deep.ts").waitFor();
});

test("a review shows the agent's name of the diff", async () => {
  const { page } = await openTwo();
  const title = page.getByTestId("review").getByText(/^Title: /);
  expect(await title.textContent()).toMatch(/^Title: \[Claude Code\] notes\.md \(\w+\)$/);
});

test("a review is accepted and rejected by the keys that its buttons show, also while typing", async () => {
  const { page, edits } = await openTwo();
  const review = page.getByTestId("review");
  await review.getByRole("button", { name: "Accept Alt+A" }).waitFor();
  await page.getByLabel("Proposed text of notes.md").click();
  await page.keyboard.press("Alt+a");
  expect((await edits.notes.result).decision).toBe("accepted");
  await review.getByRole("button", { name: "Reject Alt+R" }).waitFor();
  await page.getByLabel("Proposed text of src/deep.ts").waitFor();
  await page.keyboard.press("Alt+r");
  expect((await edits.code.result).decision).toBe("rejected");
});

test("the keys of a hunk decide it while its text has the focus, and change nothing else", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const client = await connectClient(place);
  const lines = (edited: string) =>
    Array.from(
      { length: 60 },
      (_, index) => `line ${index}${index % 20 === 5 ? edited : ""}\n`,
    ).join("");
  const edit = client.edit(write(place, "three.txt", lines("")), lines(" edited"));
  const review = page.getByTestId("review");
  await review.getByText("3 hunks").waitFor();
  // Elsewhere the keys belong to a field, or do nothing.
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByLabel("Proposed text of three.txt").getByText("line 5 edited").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await review.getByText("2 hunks").waitFor();
  await page.keyboard.press("F7");
  await page.keyboard.press("ControlOrMeta+Shift+Backspace");
  await review.getByText("1 hunk").waitFor();
  await page.keyboard.press("ControlOrMeta+z");
  await review.getByText("2 hunks").waitFor();
  await page.keyboard.press("ControlOrMeta+Shift+z");
  await review.getByText("1 hunk").waitFor();
  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  const expected = lines(" edited").replace("line 25 edited", "line 25");
  expect(await edit.result).toMatchObject({ decision: "accepted", written: expected });
});

test("a diff is asked once: accept or reject; its terminal answers on request", async () => {
  const page = await openWithChange(site);
  const answers = page.getByRole("button", { name: /^(accept|reject|close|yes|no)\b/i });
  await expect.poll(() => answers.count()).toBe(2);
  await page.getByRole("button", { name: "here in the terminal" }).click();
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await page.getByText("Wrote README.md").waitFor();
});

test("lines have signs beside their colours, which forced colours keep, and buttons do not narrow them", async () => {
  const page = await openWithChange(site);
  await page.emulateMedia({ forcedColors: "active" });
  const sign = (selector: string) => styleOf(page.locator(selector), "content", "::before");
  expect(await sign(".cm-changedLine")).toBe('"+"');
  expect(await sign(".cm-deletedLine")).toBe('"-"');
  const crossed = await styleOf(page.locator(".cm-deletedText"), "textDecorationLine");
  expect(crossed).toBe("line-through");
  await page.emulateMedia({ forcedColors: "none" });
});

test("unchanged lines are unfolded by a labelled control, whose sign every font has", async () => {
  const { place, link } = await openFixture();
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
  const file = write(place, "long.md", lines);
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const client = await connectClient(place);
  client.edit(file, lines.replace("line 0", "first"));
  const fold = page.locator(".cm-collapsedLines");
  await fold.getByText(/^Unfold \d+ lines$/).waitFor();
  expect(await styleOf(fold, "content", "::before")).toBe('"\u2195"');
  await fold.click();
  await page.getByText("line 20").waitFor();
});

test("side by side, the buttons of hunks two lines apart do not cover each other", async () => {
  const { place, link } = await openFixture();
  const path = write(place, "list.md", "a\nb\nc\nd\n");
  const page = await openPage(site, link);
  await untilLive(page);
  const client = await connectClient(place);
  client.edit(path, "a\nB\nc\nD\n");
  const review = page.getByTestId("review");
  await review.getByRole("button", { name: "Side by side" }).click();
  const buttons = review.getByRole("button", { name: /^(Accept|Reject) hunk/ });
  await expect.poll(() => buttons.count()).toBe(4);
  const boxes = async () =>
    buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as Box));
  const covered = async () =>
    (await boxes()).flatMap((one, at, all) =>
      all.slice(at + 1).filter((other) => areOver(one, other)),
    );
  await expect.poll(covered).toEqual([]);
});

interface Box {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

function areOver(one: Box, other: Box): boolean {
  const isBeside = one.right <= other.left || other.right <= one.left;
  return !isBeside && one.top < other.bottom && other.top < one.bottom;
}
