import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTrace } from "./actions.ts";
import { connectClient, openLive } from "./live-fixture.ts";
import { dist, framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** The names of the listed rows. */
function namesOf(page: Page): Promise<readonly string[]> {
  return page.locator(".wire-row .what").allInnerTexts();
}

/** Types a filter, and waits until this number of frames matches. */
async function filterBy(page: Page, filter: string, count: number | string): Promise<void> {
  await page.getByTestId("filter").fill(filter);
  await page.getByTestId("frames").getByText(`${count}`, { exact: true }).waitFor();
}

async function open(url?: string): Promise<Page> {
  const page = await site.connected(url === undefined ? {} : { url });
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  return page;
}

test("a regular expression searches the frames, alone and with other terms, in both forms of the page", async () => {
  for (const url of [undefined, pathToFileURL(join(dist, "playground.html")).href]) {
    const page = await open(url);
    const all = await framesOf(page);
    await filterBy(page, "/tools\\/l.st/", `1 of ${all} frames`);
    expect(await namesOf(page)).toEqual(["tools/list"]);
    await filterBy(page, "/TOOLS\\/LIST/i OR (kind:result NOT /./)", `1 of ${all} frames`);
    await filterBy(page, "NOT /./", `0 of ${all} frames`);
  }
});

test("later frames are searched, too, in a page that idewire serves", async () => {
  const { page, place } = await openLive(site);
  await page.getByTestId("filter").fill('/"tools\\/list"/');
  await connectClient(place);
  await page.getByRole("row", { name: "tools/list" }).first().waitFor();
  expect((await namesOf(page)).every((name) => name.includes("tools/list"))).toBe(true);
});

test("an expression that takes too long is terminated and named; the page answers meanwhile", async () => {
  const page = await open();
  const raw = JSON.stringify({ jsonrpc: "2.0", method: "m", params: "a".repeat(60) });
  const lines = [{ idewire: "trace/1" }, { t: 0, ev: "frame", ch: "c", dir: "agent>ide", raw }];
  await openTrace(page, "slow.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
  await page.getByTestId("guide").getByText("A recorded trace").waitFor();
  await page.getByTestId("filter").fill("method:m OR /(a+)+$/");
  const issue = page.getByTestId("filter-issue");
  await issue.getByText("it took more than 200 ms").waitFor();
  expect(await issue.locator("code").textContent()).toBe("/(a+)+$/");
  expect(await page.getByTestId("frames").textContent()).toBe("1 of 1 frame");
  await filterBy(page, "/a{60}/", "1 of 1 frame");
  await issue.waitFor({ state: "detached" });
});

test("an invalid filter is explained beside it, and nothing is searched for", async () => {
  const page = await open();
  const all = await framesOf(page);
  const field = page.getByTestId("filter");
  for (const [filter, part, words] of [
    ["dir:in colour:red", "colour:red", "unknown key"],
    ["dir:up", "dir:up", "must be one of"],
    ["dir:in or dir:out", "or", "write OR"],
    ["/(/", "/(/", "Invalid regular expression"],
  ] as const) {
    await filterBy(page, filter, `${all} of ${all} frames`);
    const issue = page.getByTestId("filter-issue");
    await issue.getByText(words).waitFor();
    expect(await issue.locator("code").textContent()).toBe(part);
    expect(await issue.textContent()).not.toMatch(/(\b[a-z]+:).*: \1/);
    expect(await field.getAttribute("aria-describedby")).toBe(await issue.getAttribute("id"));
    expect(await field.getAttribute("aria-invalid")).toBe("true");
  }
});

test("a filter is saved by a name, survives a reload, and can be chosen and deleted", async () => {
  const page = await open();
  await filterBy(page, "method:tools/list", `2 of ${await framesOf(page)} frames`);
  await page.getByTestId("saved-filters").click();
  const dialog = page.getByRole("dialog", { name: "Saved filters" });
  await dialog.getByTestId("filter-name").fill("lists of tools");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "lists of tools", exact: true }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  await page.getByTestId("saved-filters").click();
  await dialog.getByText("To save a filter, type it first.").waitFor();
  await dialog.getByRole("button", { name: "lists of tools", exact: true }).click();
  await expect.poll(() => page.getByTestId("filter").inputValue()).toBe("method:tools/list");
  await page.getByTestId("frames").getByText(/^2 of/).waitFor();
  await page.getByTestId("filter").fill("saved: lists of tools");
  await expect.poll(() => page.getByTestId("filter").inputValue()).toBe("method:tools/list");
  await page.getByTestId("saved-filters").click();
  await dialog.getByRole("button", { name: "Delete lists of tools" }).click();
  await dialog.getByText("No saved filters yet").waitFor();
});

test("at 1440 px the bar above the frames is one line, and the filter has 240 px", async () => {
  const page = await site.connected();
  const filter = page.getByTestId("filter");
  await filter.fill("tools");
  const count = page.getByText(/^\d+ of \d+ frames$/);
  await count.waitFor();
  const boxOf = async (place: Locator) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {};
    return { x, y, width, end: y + height };
  };
  const tabs = await boxOf(page.getByRole("tablist", { name: "Views of the wire" }));
  const box = await boxOf(filter);
  expect(box.width).toBeGreaterThanOrEqual(240);
  expect(box.x).toBeGreaterThan(tabs.x + tabs.width);
  expect(box.y).toBeLessThan(tabs.end);
  expect((await boxOf(count)).y).toBeLessThan(tabs.end);
});
