import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Look, lookAs, looks } from "./looks.ts";

/** The target folder of `npm run pictures`; without it, a run only proves that pictures can be taken. */
export const shots = process.env["IDEWIRE_SHOTS"];

/** A pane; phones show one at a time. */
export type PaneName = "agent" | "editor" | "frame" | "wire";

/** The looks of `npm run pictures`: three widths, two themes, and forced colours. */
const wanted: Readonly<Record<string, Look & { readonly forced?: true }>> = {
  "wide-light": looks.light,
  "wide-dark": looks.dark,
  "narrow-light": looks["narrow, light"],
  "narrow-dark": looks.narrow,
  "phone-light": looks.phone,
  "phone-dark": looks["phone, dark"],
  "wide-forced": { ...looks.light, forced: true },
};

/** The two most different looks, for states of a view; the view itself has pictures in all looks. */
export const few = ["wide-light", "phone-dark"] as const;

/** Takes a picture in every look, and returns to the first. */
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

/** The tabs' names; in an inspection, the editor's pane has both peers. */
const titles: Readonly<Record<PaneName, RegExp>> = {
  agent: /^Agent/,
  editor: /^(?:Editor|Peers)/,
  frame: /^Frame/,
  wire: /^Wire/,
};

/** A dialog covers the tabs and needs no pane; and a click would close a menu. */
async function choosePane(page: Page, pane: PaneName): Promise<void> {
  if ((await page.locator(":is(dialog, [role=menu]):visible").count()) > 0) return;
  const tabs = page.getByRole("navigation", { name: "Panes" });
  // A page that was not admitted has no panes.
  if ((await tabs.count()) === 0) return;
  await tabs.getByRole("button", { name: titles[pane] }).click();
  await page.locator(`[data-pane=${pane}]`).waitFor();
}
