import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { openTab, runCommand, savedBy } from "./actions.ts";
import { connectClient, openFile, openLive, untilLive } from "./live-fixture.ts";
import { expectToFit, lookAs, looks } from "./looks.ts";
import { framesOf, useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** A live page that shows the trace of a connected agent. */
async function openTraced() {
  const live = await openLive(site);
  await connectClient(live.place);
  const { page } = live;
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  const rows = () => page.getByRole("grid", { name: "Frames" }).getAttribute("aria-rowcount");
  const count = async () => Number(await rows()) - 1;
  return { ...live, count };
}

test("a paused list stays as it is while frames are recorded, counted and saved", async () => {
  const { page, count } = await openTraced();
  await page.getByTestId("pause").click();
  const before = await count();
  const frames = await framesOf(page);
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").press("Control+a");
  await expect.poll(() => framesOf(page)).toBeGreaterThan(frames);
  await page.getByRole("button", { name: /^Resume ?\d+ new$/ }).waitFor();
  expect(await count()).toBe(before);
  await page.getByTestId("share").click();
  const saved = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  await page.keyboard.press("Escape");
  expect(saved.match(/"ev":"frame"/g)?.length).toBe(await framesOf(page));
  await openTab(page, "Sequence");
  expect(await page.getByRole("option", { name: /selection_changed/ }).count()).toBe(0);
  await runCommand(page, "resume");
  await page
    .getByRole("option", { name: /selection_changed/ })
    .first()
    .waitFor();
  await openTab(page, "List");
  await expect.poll(count).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
});

test("a cleared list begins again with the next numbers, and nothing recorded is lost", async () => {
  const { page, count } = await openTraced();
  const frames = await framesOf(page);
  await runCommand(page, "wire: clear");
  await expect.poll(count).toBe(0);
  const cleared = await page.getByTestId("cleared").textContent();
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").press("Control+a");
  await page
    .getByRole("row", { name: /selection_changed/ })
    .first()
    .waitFor();
  const first = page.locator(".wire-row").first().getByRole("gridcell").first();
  expect(`Show ${Number(await first.textContent()) - 1} cleared events`).toBe(cleared);
  expect(await framesOf(page)).toBeGreaterThan(frames);
  await openTab(page, "Sequence");
  await page
    .getByRole("option", { name: /selection_changed/ })
    .first()
    .waitFor();
  expect(await page.getByRole("option", { name: /initialize/ }).count()).toBe(0);
  await openTab(page, "List");
  await page.getByTestId("filter").fill("method:initialize");
  await page.getByText("No frames match this filter.").waitFor();
  await page.getByTestId("cleared").click();
  await expect.poll(count).toBe(2);
  await page.getByTestId("share").click();
  const saved = await savedBy(page, () => page.getByTestId("save-jsonl").click());
  expect(saved).toContain('\\"method\\":\\"initialize\\"');
});

test("clearing while paused leaves nothing, and later frames are counted from there", async () => {
  const { page, count } = await openTraced();
  await page.getByTestId("pause").click();
  await page.getByTestId("clear").click();
  await expect.poll(count).toBe(0);
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").press("Control+a");
  await page.getByRole("button", { name: /^Resume ?\d+ new$/ }).click();
  await expect.poll(count).toBeGreaterThan(0);
  expect(await page.getByRole("row", { name: /initialize/ }).count()).toBe(0);
});

test("cleared frames stay cleared after a reconnect, and are shown after a reload", async () => {
  const { page, count, serve } = await openTraced();
  await page.getByTestId("clear").click();
  await expect.poll(count).toBe(0);
  serve.kill("SIGSTOP");
  await page.getByTestId("guide").getByText("Not connected; retrying").waitFor();
  serve.kill("SIGCONT");
  await untilLive(page);
  await page.getByTestId("cleared").waitFor();
  expect(await page.getByRole("row", { name: "result of tools/list" }).count()).toBe(0);
  await page.reload();
  await untilLive(page);
  await page.getByRole("row", { name: "result of tools/list" }).waitFor();
  expect(await page.getByTestId("cleared").count()).toBe(0);
});

test("pause and clear fit every width, and axe finds no fault", async () => {
  const { page } = await openTraced();
  await page.getByTestId("pause").click();
  await openFile(page, "notes.md");
  await page.getByRole("button", { name: /^Resume ?\d+ new$/ }).waitFor();
  for (const name of ["light", "narrow", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectToFit(page, name);
    expect(await axeComplaints(page, ".wire-pane"), name).toEqual([]);
  }
});
