import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { RawClient } from "../src/raw-client.ts";
import { openTab, openTrace } from "./actions.ts";
import { openLive } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The cells of the first column of the rows. */
async function numbersOf(page: Page): Promise<readonly number[]> {
  const cells = await page.locator(".wire-row > .num:first-child").allTextContents();
  return cells.map(Number);
}

/** A trace of two connections: one is refused, one ends with a pending request. */
const trace = [
  { idewire: "trace/1", clock: "ms", created: "2026-11-23T08:00:00.000Z" },
  { n: 1, t: 0, ev: "open", ch: "a" },
  { n: 2, t: 4, ev: "frame", ch: "a", dir: "agent>ide", raw: request(1, "tools/list") },
  { n: 3, t: 9, ev: "control", ch: "b", dir: "agent>ide", op: "refused", text: "401, no token" },
  { n: 4, t: 125_250, ev: "frame", ch: "b", dir: "agent>ide", raw: request(1, "ping") },
  { n: 5, t: 125_262, ev: "frame", ch: "b", dir: "ide>agent", raw: failure(1) },
  { n: 6, t: 125_300, ev: "close", ch: "a", code: 1006, reason: "" },
];

function request(id: number, method: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method });
}

function failure(id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
}

async function openRecorded(width = 1440): Promise<Page> {
  const page = await site.page({ width });
  const text = trace.map((line) => `${JSON.stringify(line)}\n`).join("");
  await openTrace(page, "two.jsonl", text);
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  return page;
}

test("rows are numbered 1, 2, 3 as they are counted above; sequence, pane, links, filter and slider have the same numbers", async () => {
  const page = await site.connected();
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  const numbers = await numbersOf(page);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  await page.getByTestId("frames").getByText(`${numbers.length} events`).waitFor();
  const row = page.getByRole("row", { name: "result of initialize" });
  const number = Number(await row.locator("> .num").first().textContent());
  await row.click();
  await page.getByRole("heading", { name: `Frame ${number}`, exact: true }).waitFor();
  const view = page.getByTestId("frame-view");
  await view
    .getByText(`frame ${number - 1}, initialize`)
    .first()
    .waitFor();
  await view.getByText(`since event ${number - 1}`).waitFor();
  await page.getByTestId("filter").fill(`n:${number}`);
  await expect.poll(() => numbersOf(page)).toEqual([number]);
  await page.getByTestId("filter").fill("");
  await view.getByRole("button", { name: "Go to this moment" }).click();
  await page.getByText(`Viewing event ${number} of ${numbers.length}`).waitFor();
  expect(await page.getByTestId("scrubber").inputValue()).toBe(`${number}`);
  await expect.poll(async () => (await numbersOf(page)).at(-1)).toBe(number);
  await page.getByTestId("past").getByRole("button", { name: "Back to now" }).click();
  await openTab(page, "Sequence");
  const inSequence = page.locator(".sequence-row", { hasText: "result of initialize" });
  expect(await inSequence.locator(".ordinal").textContent()).toBe(`${number}`);
});

test("numbers and times are the same after a reload of a page that idewire serves", async () => {
  const { page, lockFile } = await openLive(site);
  const client = await RawClient.ready(lockFile);
  await client.request("ping");
  const answered = page.getByRole("row", { name: "result of ping" });
  const numbers = () => answered.locator("> .num").allTextContents();
  await answered.waitFor();
  const before = await numbers();
  await page.reload();
  await answered.waitFor();
  await expect.poll(numbers).toEqual(before);
});

test("a frame has its time since the start, since the row before and of day, to the millisecond", async () => {
  const page = await openRecorded(2000);
  const row = page.getByRole("row", { name: "ping" }).first();
  const cells = await row.locator("> .num").allInnerTexts();
  expect(cells.slice(1, 3)).toEqual(["2:05.250", "+2:05.241"]);
  expect(cells[3]).toMatch(/^\d\d:\d\d:05\.250$/);
  await row.click();
  const facts = page.getByTestId("frame-view");
  await facts.getByText("2:05.250 min", { exact: true }).waitFor();
  await facts.getByText(/^\d\d:\d\d:05\.250$/).waitFor();
});

test("the agent is at the left of every direction: in list, sequence, summary and comparison", async () => {
  const page = await site.connected();
  const initialize = page.getByRole("row", { name: "initialize" }).first();
  await initialize.getByText("Agent ► Editor").waitFor();
  const answer = page.getByRole("row", { name: "result of initialize" });
  await answer.getByText("Agent ◄ Editor").waitFor();
  await answer.click();
  await page.getByTestId("frame-view").getByText("Agent ◄ Editor").waitFor();
  await openTab(page, "Sequence");
  await page.locator(".sequence-head").waitFor();
  const heads = await page.locator(".sequence-head span:not(.hint)").allTextContents();
  expect(heads).toEqual(["Agent", "Editor"]);
  await openTab(page, "Dialects");
  await page.getByTestId("dialects").getByText("Agent ◄ Editor").first().waitFor();
});

test("several connections have a column, a single one has none", async () => {
  const page = await openRecorded();
  const row = page.getByRole("row", { name: "ping" }).first();
  expect(await row.locator(".channel").textContent()).toBe("b");
  const { lockFile, page: live } = await openLive(site);
  await RawClient.ready(lockFile);
  await live.locator(".wire-row:not(.note)").first().waitFor();
  expect(await live.locator(".channel").count()).toBe(0);
});

test("a refusal is marked as one, and a request whose connection ends is not pending", async () => {
  const page = await openRecorded();
  const refused = page.locator(".wire-row.refused");
  await expect.poll(() => refused.count()).toBe(2);
  await refused.getByText("refused: 401, no token").waitFor();
  await page.getByTestId("legend").getByText("refused or failed").waitFor();
  const pending = page.getByRole("row", { name: "tools/list" }).first();
  await pending.getByText("never answered: the connection closed").waitFor();
  await openTab(page, "Sequence");
  await page.locator(".sequence-row.refused").first().waitFor();
  expect(await page.locator(".wait-bar.open").count()).toBe(0);
});

test("a list that shows the newest frame still does after it has become smaller, and its button covers no legend", async () => {
  const page = await site.page({ width: 1440 });
  const frames = Array.from({ length: 60 }, (_, at) => {
    return { n: at + 1, t: at, ev: "frame", ch: "a", dir: "agent>ide", raw: request(at, "ping") };
  });
  const lines = [{ idewire: "trace/1" }, ...frames].map((line) => `${JSON.stringify(line)}\n`);
  await openTrace(page, "pings.jsonl", lines.join(""));
  const newest = page.locator("#frame-60");
  const isShown = async () => {
    const list = await page.getByRole("grid", { name: "Frames" }).boundingBox();
    const row = await newest.boundingBox();
    if (list === null || row === null) return false;
    return row.y + row.height <= list.y + list.height + 1;
  };
  await expect.poll(isShown).toBe(true);
  await page.setViewportSize({ width: 1440, height: 420 });
  await expect.poll(isShown).toBe(true);
  await page.getByRole("grid", { name: "Frames" }).evaluate((list) => list.scrollTo(0, 0));
  const button = await page.getByRole("button", { name: "Newest" }).boundingBox();
  const legend = await page.locator(".legend").boundingBox();
  if (button === null || legend === null) throw new Error("one of them is not shown");
  expect(button.y + button.height).toBeLessThanOrEqual(legend.y);
});
