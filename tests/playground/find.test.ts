import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { openRow, openTab, openTrace, runCommand } from "./actions.ts";
import { lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** Opens a trace of one frame, and the search in it. */
async function findIn(raw: string, text: string): Promise<Page> {
  const page = await site.page();
  const frame = { t: 0, ev: "frame", ch: "c", dir: "agent>ide", raw };
  await openTrace(page, "one.jsonl", `{"idewire":"trace/1"}\n${JSON.stringify(frame)}`);
  await page.getByTestId("guide").getByText("recorded trace").waitFor();
  await openRow(page, /^1 /);
  await openTab(page, "Tree");
  await page.getByTestId("find").click();
  await page.getByTestId("find-text").fill(text);
  return page;
}

async function expectFound(page: Page, words: string): Promise<void> {
  await expect.poll(() => page.getByTestId("found").textContent()).toBe(words);
}

/** Expects this text to be the current match and in view. */
async function expectInView(page: Page, text: string): Promise<void> {
  const now = page.locator("mark.now");
  await expect.poll(() => now.textContent()).toBe(text);
  await expect
    .poll(async () => {
      const [mark, view] = [
        await now.boundingBox(),
        await page.locator("#frame-view").boundingBox(),
      ];
      if (mark === null || view === null) return false;
      return mark.y >= view.y && mark.y + mark.height <= view.y + view.height;
    })
    .toBe(true);
}

test("a text is found in names, values and JSON inside strings, and Enter goes from one to the next", async () => {
  const inner = JSON.stringify({ Needle: ["no", "a needle"] });
  const page = await findIn(JSON.stringify({ needle: 1, text: inner, last: "NEEDLES" }), "needle");
  await expectFound(page, "1 of 4");
  await expectInView(page, "needle");
  await page.keyboard.press("Enter");
  await expectFound(page, "2 of 4");
  await expectInView(page, "Needle");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+Enter");
  await expectFound(page, "4 of 4");
  await expectInView(page, "NEEDLE");
  await page.keyboard.press("Enter");
  await expectFound(page, "1 of 4");
  await page.getByTestId("find-text").fill("absent");
  await expectFound(page, "no match");
  expect(await page.getByRole("button", { name: "Next match" }).isDisabled()).toBe(true);
});

test("folded, omitted or truncated content is shown when something is found in it", async () => {
  const deep = { a: { b: { c: { d: { e: { f: "far down" } } } } } };
  const list = Array.from({ length: 5000 }, (_, n) => `item ${n}`);
  const long = `${"x".repeat(30_000)}the needle${"y".repeat(30_000)}`;
  const page = await findIn(JSON.stringify({ deep, list, long }), "far down");
  await expectInView(page, "far down");
  await page.getByTestId("find-text").fill("item 4321");
  await expectInView(page, "item 4321");
  await page.getByRole("button", { name: "4301 before" }).waitFor();
  await page.getByTestId("find-text").fill("the needle");
  await expectInView(page, "the needle");
  await openTab(page, "Raw");
  await expectFound(page, "1 of 1");
  await expectInView(page, "the needle");
});

test("the raw text is searched as it was sent, and so is invalid JSON", async () => {
  const page = await findIn('{"a":"(x)", (x', "(X");
  await expectFound(page, "1 of 2");
  await openTab(page, "Raw");
  await expectFound(page, "1 of 2");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Next match" }).click();
  await expectInView(page, "(x");
  await expectFound(page, "2 of 2");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("textbox", { name: "The frame as it was sent" }).waitFor();
});

test("F opens the search, and Escape closes it with the frame in focus", async () => {
  const page = await site.connected();
  await openRow(page, /result of initialize/);
  await page.getByRole("heading", { name: "Agent", exact: true }).click();
  await page.keyboard.press("f");
  await page.getByTestId("find-text").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("serverinfo");
  await expectFound(page, "1 of 1");
  await openRow(page, /^\d+ .*tools\/list/);
  await expectFound(page, "no match");
  await page.getByTestId("find-text").press("Escape");
  await page.locator("#frame-view:focus").waitFor();
  await page.getByTestId("find").waitFor();
  await openTab(page, "Schema");
  await runCommand(page, "find in the frame");
  await page.getByRole("tab", { name: "Tree", selected: true }).waitFor();
  await page.getByTestId("find-text").and(page.locator(":focus")).waitFor();
});

test("a search in a frame of megabytes is done within a second", async () => {
  const lines = Array.from({ length: 40_000 }, (_, n) => `line ${n} of a long file`);
  const page = await findIn(JSON.stringify({ lines, text: lines.join("\n") }), "of a long");
  const searchMs = async (): Promise<number> => {
    await page.getByTestId("find-text").fill("of a long");
    await expectFound(page, "1 of 10000 or more");
    const began = performance.now();
    await page.getByTestId("find-text").fill("line 39999 ");
    await expectFound(page, "1 of 2");
    await expectInView(page, "line 39999 ");
    return performance.now() - began;
  };
  // The load of the machine may delay a search occasionally.
  await expect.poll(searchMs).toBeLessThan(5000);
});

test("the search has no fault that axe finds, in both themes and on a phone", async () => {
  const page = await site.connected();
  await runCommand(page, "find in the frame");
  await page.getByTestId("find-text").fill("a");
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await page.locator("mark").first().waitFor();
    expect(await axeComplaints(page, "[data-pane=frame]"), name).toEqual([]);
  }
});
