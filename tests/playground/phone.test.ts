import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { askForChange, chooseInMenu, openTab, runCommand } from "./actions.ts";
import { connectClient, openFixture, openPage, untilLive } from "./live-fixture.ts";
import { expectGoodLook, expectToFit, expectWholeHeadings, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Controls too small for a finger, or in an extra row of their toolbar: the top one has one row, the others two. */
const FAULTS = `(() => {
  const faults = [];
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".visually-hidden");
  const controls = "button, select, input, summary, [role=option], [role=tab], [role=treeitem]";
  for (const one of document.querySelectorAll(controls)) {
    const label = one.matches("[type=checkbox], [type=file]") ? one.closest("label") : one;
    if (!isShown(one) || label === null || one.matches(".visually-hidden")) continue;
    // A link in a sentence is as high as its line.
    if (one.matches(".words *, .hint *")) continue;
    const { width, height } = label.getBoundingClientRect();
    const least = one.matches(".primary, .yes, .no, .pane-tabs *") ? 44 : 24;
    if (height < least || width < 24)
      faults.push(one.textContent.trim().slice(0, 30) + ": " + Math.round(width) + " x " + height);
  }
  for (const bar of document.querySelectorAll(".bar, .top-bar")) {
    if (!isShown(bar)) continue;
    const middles = [...bar.children].filter((one) => isShown(one) && one.offsetWidth > 1)
      .filter((one) => getComputedStyle(one).position !== "absolute")
      .map((one) => one.getBoundingClientRect()).filter(({ height }) => height > 0)
      .map(({ top, height }) => top + height / 2).sort((a, b) => a - b);
    const rows = middles.filter((middle, at) => at === 0 || middle - middles[at - 1] > 10).length;
    if (rows > (bar.matches(".top-bar") ? 1 : 2)) faults.push(bar.className + ": " + rows + " rows");
  }
  return faults;
})()`;

async function expectFingerFriendly(page: Page, where: string): Promise<void> {
  await expectWholeHeadings(page, where);
  await expect.poll(() => page.evaluate<string[]>(FAULTS), { message: where }).toEqual([]);
}

function pane(page: Page, name: RegExp) {
  return page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
}

test("a tapped frame opens; slider, speed and theme are present; the badge shows a pending review", async () => {
  const page = await site.connected(looks.phone);
  await pane(page, /^Wire/).click();
  await page.getByRole("row", { name: "result of initialize" }).click();
  await page.getByTestId("frame-view").waitFor();
  await page.getByRole("heading", { name: "Frame 6" }).waitFor();
  await page.getByTestId("scrubber").fill("3");
  await page.getByText("Viewing event 3 of 10").waitFor();
  await page.getByRole("button", { name: "Back to now" }).click();
  await chooseInMenu(page, "speed", "2×");
  await page.getByTestId("more").click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  await pane(page, /^Agent/).click();
  await page.getByTestId("ask").click();
  await pane(page, /^Editor/)
    .getByRole("img", { name: "1 diff to review" })
    .waitFor();
});

test.each(["#", "#tour=handshake"])("at %s the bars leave the screen to the pane", async (path) => {
  const page = await site.page({ ...looks.phone, path });
  await page.getByRole("navigation", { name: "Panes" }).getByRole("button").first().waitFor();
  await page.getByTestId("speed").waitFor();
  const height = () => page.locator(".editor-pane").evaluate(({ clientHeight }) => clientHeight);
  await expect.poll(height).toBeGreaterThan(looks.phone.height * 0.75);
});

test("no toolbar has more than two rows, and nothing is too small for a finger", async () => {
  const page = await site.connected(looks["phone, dark"]);
  await page.getByTestId("filter").waitFor({ state: "attached" });
  await expectFingerFriendly(page, "editor");
  await pane(page, /^Agent/).click();
  await expectFingerFriendly(page, "agent");
  await page.getByTestId("ask").click();
  await pane(page, /^Editor/).click();
  await page.getByTestId("review").getByLabel("Proposed text").waitFor();
  await expectFingerFriendly(page, "review");
  await pane(page, /^Wire/).click();
  for (const tab of ["Sequence", "Dialects", "Checks", "List"]) {
    await openTab(page, tab);
    await expectFingerFriendly(page, tab);
  }
  await page.getByRole("row", { name: "result of initialize" }).click();
  for (const tab of ["Tree", "Raw", "Schema", "Summary"]) {
    await openTab(page, tab);
    await expectFingerFriendly(page, tab);
  }
});

test("no toolbar has more than two rows while a tour plays", async () => {
  const page = await site.page({ ...looks.phone, path: "#tour=diff-accepted&play=no" });
  await page.getByTestId("step").click();
  await expectFingerFriendly(page, "tour");
});

test("a folder on a phone: no toolbar has more than two rows, and nothing is too small", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, link, { ...looks.phone, untraced: true });
  await untilLive(page);
  await expectFingerFriendly(page, "start");
  await connectClient(place);
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await page.getByLabel("Text of notes.md").waitFor();
  await expectFingerFriendly(page, "file");
  for (const name of [/^Agent/, /^Wire/, /^Frame/]) {
    await pane(page, name).click();
    await expectFingerFriendly(page, `${name}`);
  }
  await page.getByTestId("link").click({ force: true });
  await expectFingerFriendly(page, "link");
});

test("a pending request is marked in the list, however long its name", async () => {
  const page = await site.connected(looks.phone);
  await pane(page, /^Agent/).click();
  await page.getByTestId("ask").click();
  await pane(page, /^Wire/).click();
  const badge = page.getByRole("row", { name: /openDiff.*waiting/ }).getByText("waiting");
  const right = () => badge.evaluate((one) => one.getBoundingClientRect().right);
  const box = await page.getByRole("row", { name: /openDiff/ }).boundingBox();
  expect(await right()).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
  expect(await badge.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test("the filter has 240 px at every width from 360 px on, beside its buttons", async () => {
  const { link } = await openFixture();
  const page = await openPage(site, link);
  await untilLive(page);
  for (const width of [360, 390, 500, 699, 700, 900, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const wire = pane(page, /^Wire/);
    if (await wire.isVisible()) await wire.click();
    const box = () => page.getByTestId("filter").boundingBox();
    await expect
      .poll(async () => (await box())?.width, { message: `${width}` })
      .toBeGreaterThan(239);
    await expectToFit(page, `${width}`);
  }
});

test("on a phone every number of the latencies is shown, with its name", async () => {
  const page = await site.connected(looks.phone);
  await runCommand(page, "latency");
  const table = page.getByTestId("latencies");
  await table.getByText("initialize").waitFor();
  const hidden = () => table.locator("..").evaluate((one) => one.scrollWidth - one.clientWidth);
  await expect.poll(hidden).toBe(0);
  const named = await table
    .locator("tbody tr")
    .first()
    .locator("td")
    .evaluateAll((all) => all.map((one) => one.getAttribute("data-name")));
  const heads = await table
    .locator("thead th")
    .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
  expect(named).toEqual(heads.slice(1));
  await expectGoodLook(page, "latencies", "dialog");
});

test("on a phone a request without an answer has the names of its counts, but of no times", async () => {
  const page = await site.connected();
  await askForChange(page);
  await lookAs(page, looks.phone);
  await runCommand(page, "latency");
  const diff = page.getByTestId("latencies").getByRole("row").filter({ hasText: "openDiff" });
  const named = (name: string) => diff.locator(`td[data-name="${name}"]`);
  await named("Unanswered").waitFor();
  expect(await named("Unanswered").isVisible()).toBe(true);
  expect(await named("Median").isVisible()).toBe(false);
});

test("no heading of a column is cut or covers another, in a list of any width", async () => {
  const page = await site.connected(looks.phone);
  await pane(page, /^Wire/).click();
  for (const width of [900, 700, 540, 439, 390, 359, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expectWholeHeadings(page, `${width} px`);
  }
});
