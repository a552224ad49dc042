import type { Page } from "playwright-core";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import type { Site } from "./site.ts";

/** The page of `idewire inspect --web` with these arguments. */
export async function openInspector(site: Site, flags: readonly string[]): Promise<Page> {
  const run = startInspect(openWorkspace("home", "notes"), ["--web", ...flags]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  return page;
}

/** Waits until the inspected server has answered. */
export async function untilOpen(page: Page): Promise<void> {
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
}
