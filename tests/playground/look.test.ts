import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openRow, openTab, openWithChange } from "./actions.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { dist, framesOf, useSite } from "./site.ts";

const site = useSite();

/** Checks every view at this width, and with axe the parts that are new in it. */
async function expectGoodViews(page: Page, look: string): Promise<void> {
  await expectGoodLook(page, `${look}: a change that waits`);
  for (const [view, part] of [
    ["Sequence", ".sequence-row"],
    ["Dialects", ".dialect-column"],
    ["List", ".wire-row"],
  ] as const) {
    await openTab(page, view);
    await page.locator(part).first().waitFor();
    if (view !== "List") await expectGoodLook(page, `${look}: ${view}`, "[data-pane=wire]");
  }
  await expectGoodDialogs(page, look);
}

async function expectGoodDialogs(page: Page, look: string): Promise<void> {
  for (const dialog of ["faults", "share"]) {
    await page.getByTestId(dialog).click();
    await page.getByRole("dialog").waitFor();
    await expectGoodLook(page, `${look}: ${dialog}`);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
}

test("axe finds nothing, and nothing overflows a window that is light, dark or narrow [playground:built:axe]", async () => {
  const page = await openWithChange(site);
  await openRow(page, "openDiff");
  await openTab(page, "Schema");
  await page.getByRole("heading", { name: "Arguments of openDiff" }).waitFor();
  for (const name of ["light", "dark", "narrow, light"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodViews(page, name);
  }
});

test("axe finds nothing, and nothing overflows a phone, whichever pane it shows [playground:built:axe]", async () => {
  const page = await site.page(looks["phone, dark"]);
  await page.getByText("Connected to").waitFor({ state: "attached" });
  await expectGoodLook(page, "Editor");
  const tabs = page.getByRole("navigation", { name: "Panes" });
  for (const [id, pane] of [
    ["agent", "Agent"],
    ["frame", "Frame"],
    ["wire", /^Wire/],
  ] as const) {
    await tabs.getByRole("button", { name: pane }).click();
    await page.locator(`[data-pane=${id}]`).waitFor();
    await expectGoodLook(page, id);
  }
  for (const [view, part] of [
    ["Sequence", ".sequence-row"],
    ["Dialects", ".dialect-column"],
  ] as const) {
    await openTab(page, view);
    await page.locator(part).first().waitFor();
    await expectGoodLook(page, view, "[data-pane=wire]");
  }
  await expectGoodDialogs(page, "phone, dark");
});

test("the single file opens from a disk, with both ends in it [playground:built:single-file]", async () => {
  const url = pathToFileURL(join(dist, "playground.html")).href;
  const page = await site.connected({ url });
  await page.getByTestId("ask").click();
  await page.getByLabel("Proposed text").waitFor();
  await expect.poll(() => framesOf(page)).toBeGreaterThan(6);
});

test("the page of the folder, opened from a disk, names the file to open", async () => {
  const page = await site.page({ url: pathToFileURL(join(dist, "index.html")).href });
  const words = page.getByText("Opened from a disk, this page cannot start.");
  await words.waitFor();
  await words.getByRole("link", { name: "playground.html" }).click();
  await page.getByText("Connected to").waitFor();
  // The test is about the blocked modules, so their errors are expected.
  site.complaints.length = 0;
});

test("after a first visit the page opens without a network [playground:built:offline]", async () => {
  const page = await site.page({ offline: true });
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.reload();
  await page.getByText("Connected to").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Connected to").waitFor();
  await page.getByTestId("ask").click();
  await page.getByLabel("Proposed text").waitFor();
});
