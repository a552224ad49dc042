import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTab } from "./actions.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { expectToFit, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });
const installed = createRequire(new URL("../interop/package.json", import.meta.url));
const hostile = fileURLToPath(new URL("../src/hostile-app.mjs", import.meta.url));

async function inspect(...command: readonly string[]): Promise<Page> {
  const page = await openInspector(site, ["--", ...command]);
  await untilOpen(page);
  return page;
}

/** Calls a tool without arguments. */
async function call(page: Page, tool: string): Promise<void> {
  await page.getByTestId("entry").locator("button.entry").filter({ hasText: tool }).first().click();
  await page.getByTestId("call").click();
  await page.locator('[data-testid=answer][data-status="ok"]').waitFor();
}

const viewIn = (page: Page) => page.frameLocator("[data-testid=app-view] iframe");

const published = [
  ["basic-vanillajs", "get-time", "Get Server Time"],
  ["budget-allocator", "get-budget-data", "Budget Allocator"],
  ["cohort-heatmap", "get-cohort-data", "Cohort Retention"],
] as const;

test.each(published)("the view of the published %s is shown", async (name, tool, words) => {
  const server = join(
    dirname(installed.resolve(`@modelcontextprotocol/server-${name}`)),
    "index.js",
  );
  const page = await inspect(process.execPath, server, "--stdio");
  await call(page, tool);
  const view = viewIn(page);
  await view.getByText(words).first().waitFor();
  // Each message between the view and the page has a row.
  const first = page.getByRole("row", { name: "ui/initialize" }).first();
  await first.getByRole("img", { name: "view to host" }).waitFor();
  const result = page.getByRole("row", { name: "ui/notifications/tool-result" }).first();
  await result.getByRole("img", { name: "host to view" }).waitFor();
  // The second connection adds a column to earlier rows, too.
  const rows = page.locator(".wire-row:not(.note)");
  const withoutConnection = () =>
    rows.evaluateAll((all) =>
      all
        .filter((one) => one.querySelector('[aria-colindex="6"]') === null)
        .map((one) => one.textContent),
    );
  await expect.poll(withoutConnection).toEqual([]);
  await result.click();
  await page.getByText("The host passes the result of the call to the view.").waitFor();
  if (name !== "basic-vanillajs") return;
  await openTab(page, "Sequence");
  const arrow = page.getByRole("option", { name: "View sends ui/initialize" }).first();
  await arrow.getByText("View", { exact: true }).waitFor();
  await arrow.getByText("Host", { exact: true }).waitFor();
  await openTab(page, "List");
  await view.getByRole("button", { name: words }).click();
  await expect.poll(() => page.getByRole("row", { name: "tools/call get-time" }).count()).toBe(6);
  for (const [where, look] of Object.entries(looks)) {
    await lookAs(page, look);
    await expectToFit(page, where);
  }
});

test("a hostile view reaches nothing but the tools for apps of its own server", async () => {
  const page = await inspect(process.execPath, hostile);
  await call(page, "show");
  const report = viewIn(page).getByText("reached: nothing");
  await report.waitFor();
  expect(new URL(page.url()).hostname).toBe("127.0.0.1");
  await page.getByText("About this view").click();
  await page.getByText("camera is not granted").waitFor();
  await page.getByText("is no origin").first().waitFor();
  await report.click();
  await page.getByText("The view was removed. It left its document.").waitFor();
});

test("a view that floods the page is removed, and the page goes on", async () => {
  const page = await inspect(process.execPath, hostile, "--flood");
  await call(page, "show");
  await page.getByText("The view was removed.").waitFor();
  await call(page, "for-the-model");
});
