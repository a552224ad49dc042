import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTab } from "./actions.ts";
import { openInspector, untilOpen } from "./inspector-page.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });
const ending = fileURLToPath(new URL("../src/ending-server.mjs", import.meta.url));

async function inspect(command: readonly string[]): Promise<Page> {
  const page = await openInspector(site, ["--", ...command]);
  await untilOpen(page);
  return page;
}

const choose = (page: Page, name: string) =>
  page.getByTestId("entry").locator("button.entry").filter({ hasText: name }).click();

test("a long description leaves the form in view, and is shown whole on request", async () => {
  const page = await inspect([process.execPath, ending]);
  await choose(page, "end");
  const call = page.getByTestId("call");
  const bottom = () => call.evaluate((one) => one.getBoundingClientRect().bottom);
  await expect.poll(bottom).toBeLessThan(page.viewportSize()?.height ?? 0);
  await page.getByRole("button", { name: "Show all 42000 characters" }).click();
  await expect.poll(bottom).toBeGreaterThan(page.viewportSize()?.height ?? 0);
  await page.getByRole("button", { name: "Show less" }).click();
  await expect.poll(bottom).toBeLessThan(page.viewportSize()?.height ?? 0);
});

test("only the variables of a template's path are required", async () => {
  const page = await inspect([process.execPath, ending]);
  await openTab(page, "Resources");
  await choose(page, "beds://search");
  const labels = page.locator(".entry-view label");
  await expect
    .poll(async () => (await labels.allTextContents()).map((text) => text.trim()))
    .toEqual(["bed (required)", "crop", "year"]);
});

test("the page shows how a server ended, at the server and at the call", async () => {
  const page = await inspect([process.execPath, ending]);
  await choose(page, "end");
  await page.locator("#field-why").fill("winter");
  await page.getByTestId("call").click();
  const words = "The server ended with exit code 3";
  await page.getByTestId("server-problem").getByText(words, { exact: true }).waitFor();
  await page.getByTestId("answer").getByText(words, { exact: true }).waitFor();
  await page.locator(".connections").getByText(words, { exact: true }).waitFor();
  await page.getByRole("row", { name: "the server ended with exit code 3" }).waitFor();
});

test("a program that is given as code has the name of its launcher", async () => {
  const page = await inspect([process.execPath, "-e", `import(${JSON.stringify(ending)})`]);
  await page.getByText("client of node", { exact: true }).waitFor();
});
