import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { RawClient } from "../src/raw-client.ts";
import { verifies } from "../src/verifies.ts";
import { openPage, openStage, received, untilLive } from "./live-stage.ts";
import { framesOf, Site } from "./site.ts";

let site: Site;
beforeAll(async () => {
  site = await Site.open();
});
afterAll(async () => {
  await site.close();
});

/** Copies the link that carries the trace. */
async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByTestId("share").click();
  await page.getByTestId("copy-link").click();
  await page.getByText("It opens the trace in any tab of this machine").waitFor();
  await page.keyboard.press("Escape");
  return String(await page.evaluate("navigator.clipboard.readText()"));
}

/** Opens a link that wants nothing of what is behind it. */
async function openTrace(link: string): Promise<Page> {
  const page = await openPage(site, link);
  await page.getByTestId("guide").getByText("A recording").waitFor();
  expect(received.get(page)).toEqual([]);
  return page;
}

verifies(
  "playground:6:trace-link",
  "a link copied from the page of a folder carries its frames, redacted, and opens beside it",
  async () => {
    const { link, lockFile, place, token } = await openStage();
    const page = await openPage(site, link);
    await untilLive(page);
    const agent = await RawClient.ready(lockFile);
    await agent.callTool("getWorkspaceFolders", {});
    await expect.poll(() => framesOf(page)).toBeGreaterThanOrEqual(5);
    const copy = await openTrace(await copyLink(page));
    expect(await framesOf(copy)).toBe(await framesOf(page));
    await copy.getByRole("option", { name: "result of tools/call" }).first().click();
    await copy.getByRole("tab", { name: "Raw" }).click();
    const shown = await copy.locator("body").textContent();
    for (const secret of [token, place.stage.home]) expect(shown).not.toContain(secret);
    // A reload of the page itself comes back to the folder.
    await page.reload();
    await untilLive(page);
  },
);

verifies("playground:6:trace-link", "so does one of an inspection", async () => {
  const { place } = await openStage();
  const run = startInspect(place, ["--web", "--as-agent"]);
  const page = await openPage(site, String((await run.event("inspecting"))["page"]));
  await page.getByRole("option", { name: "result of tools/list" }).waitFor();
  const copy = await openTrace(await copyLink(page));
  await copy.getByRole("option", { name: "result of tools/list" }).waitFor();
});
