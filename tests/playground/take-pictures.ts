import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Look, lookAs, looks } from "./looks.ts";

/** Where `npm run pictures` wants them; without it one sees only that they can be taken. */
export const shots = process.env["IDEWIRE_SHOTS"];

/** A pane, of which a phone shows one. */
export type PaneName = "agent" | "editor" | "frame" | "wire";

/** As `npm run pictures` names them: three widths, two themes, and forced colours. */
const wanted: Readonly<Record<string, Look & { readonly forced?: true }>> = {
  "wide-light": looks.light,
  "wide-dark": looks.dark,
  "narrow-light": looks["narrow, light"],
  "narrow-dark": looks.narrow,
  "phone-light": looks.phone,
  "phone-dark": looks["phone, dark"],
  "wide-forced": { ...looks.light, forced: true },
};

/** The two that differ most, for a state of a view: the other looks are taken of the view itself. */
export const few = ["wide-light", "phone-dark"] as const;

/** Takes a picture of what a page shows in every look, and returns to the first. */
export async function takeAll(
  page: Page,
  name: string,
  pane: PaneName,
  only: readonly string[] = Object.keys(wanted),
): Promise<void> {
  for (const [look, { forced, ...size }] of Object.entries(wanted)) {
    if (!only.includes(look)) continue;
    await page.emulateMedia({ forcedColors: forced === true ? "active" : "none" });
    await lookAs(page, size);
    if (size.width === looks.phone.width) await choosePane(page, pane);
    await page.mouse.move(0, size.height - 1);
    const png = await page.screenshot({ animations: "disabled", caret: "hide" });
    expect(png.byteLength, `${name}, ${look}`).toBeGreaterThan(8_000);
    if (shots === undefined) continue;
    mkdirSync(shots, { recursive: true });
    writeFileSync(join(shots, `page-${name}-${look}.png`), png);
  }
  await page.emulateMedia({ forcedColors: "none" });
  await lookAs(page, looks.light);
}

/** As the tabs name them; in an inspection, the editor's pane has both peers. */
const titles: Readonly<Record<PaneName, RegExp>> = {
  agent: /^Agent/,
  editor: /^(?:Editor|Peers)/,
  frame: /^Frame/,
  wire: /^Wire/,
};

/** A dialog covers the tabs, and is seen whatever is below it; a click elsewhere would close a menu. */
async function choosePane(page: Page, pane: PaneName): Promise<void> {
  if ((await page.locator(":is(dialog, [role=menu]):visible").count()) > 0) return;
  const tabs = page.getByRole("navigation", { name: "Panes" });
  // The page of a refused tab has no panes.
  if ((await tabs.count()) === 0) return;
  await tabs.getByRole("button", { name: titles[pane] }).click();
  await page.locator(`[data-pane=${pane}]`).waitFor();
}
