import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { dist, framesOf, Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
});
afterAll(async () => {
  expect(site.complaints).toEqual([]);
  await site.close();
});

const looks = [
  { name: "light", width: 1440, height: 900, dark: false },
  { name: "dark", width: 1440, height: 900, dark: true },
  { name: "narrow", width: 900, height: 700, dark: false },
  { name: "phone", width: 390, height: 844, dark: true },
] as const;

test.each(looks)("axe: $name [playground:built:axe]", { timeout: 90_000 }, async (look) => {
  const page = await site.page(look);
  await page.getByText("Connected to").waitFor({ state: "attached" });
  const violations: string[] = [];
  const scan = async (where: string): Promise<void> => {
    violations.push(...(await axeComplaints(page)).map((complaint) => `${where}: ${complaint}`));
  };
  await scan("at first");
  if (look.name === "phone") {
    for (const pane of ["Agent", /^Wire/, "Frame"]) {
      const tabs = page.getByRole("navigation", { name: "Panes" });
      await tabs.getByRole("button", { name: pane }).click();
      await scan(String(pane));
    }
  } else {
    await page.getByTestId("ask").click();
    await page.getByLabel("Proposed text").waitFor();
    await page.getByRole("option", { name: "openDiff" }).first().click();
    await scan("a change that waits");
  }
  if (look.name === "phone") {
    const panes = page.getByRole("navigation", { name: "Panes" });
    await panes.getByRole("button", { name: /^Wire/ }).click();
  } else {
    await page.getByRole("tab", { name: "Schema" }).click();
    await page.getByRole("heading", { name: "Arguments of openDiff" }).waitFor();
  }
  for (const view of ["Sequence", "Lens"]) {
    await page.getByRole("tab", { name: view }).click();
    await page
      .locator(view === "Lens" ? ".lens-column" : ".sequence-row")
      .first()
      .waitFor();
    await scan(view);
    const width = await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
    expect([view, width]).toEqual([view, look.width]);
  }
  for (const dialog of ["faults", "share"]) {
    await page.getByTestId(dialog).click();
    await page.getByRole("dialog").waitFor();
    await scan(dialog);
    await page.keyboard.press("Escape");
  }
  expect(violations).toEqual([]);
});

test("the single file opens from a disk, with both ends in it [playground:built:single-file]", async () => {
  const url = pathToFileURL(join(dist, "playground.html")).href;
  const page = await site.page({ url });
  await page.getByText("Connected to").waitFor();
  await page.getByTestId("ask").click();
  await page.getByLabel("Proposed text").waitFor();
  await expect.poll(() => framesOf(page)).toBeGreaterThan(6);
});

test("once seen, the page opens without a network [playground:built:offline]", async () => {
  const page = await site.page();
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.reload();
  await page.getByText("Connected to").waitFor();
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Connected to").waitFor();
  await page.getByTestId("ask").click();
  await page.getByLabel("Proposed text").waitFor();
  await page.context().setOffline(false);
});
