import type { Page } from "playwright-core";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace, type Workspace } from "../src/reference-clients/serve-context.ts";
import type { Site } from "./site.ts";

/** Opens the page of `idewire inspect --web` with these arguments. */
export async function openInspector(
  site: Site,
  flags: readonly string[],
  place: Workspace = openWorkspace("home", "notes"),
): Promise<Page> {
  const run = startInspect(place, ["--web", ...flags]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  return page;
}

/** Waits until the inspected server has answered. */
export async function untilOpen(page: Page): Promise<void> {
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
}
