import { expect, test } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";
import { openRow } from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite();

const colour = (selector: string, property: string): string =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue("${property}")`;

test("light and dark follow the system until the person chooses, and the choice is kept [playground:built:themes]", async () => {
  const page = await site.page({ dark: true });
  const background = () => page.evaluate(colour("body", "background-color"));
  const dark = await background();
  const choose = async (theme: string) => {
    await page.getByTestId("more").click();
    await page.getByRole("menuitemradio", { name: theme }).click();
  };
  await choose("Light");
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  await page.reload();
  await page.getByText("Connected to").waitFor();
  await expect.poll(background).toBe(light);
  await choose("System");
  await expect.poll(background).toBe(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(background).toBe(light);
});

test("the menu has the rare commands: keys move in it, Escape returns to its button", async () => {
  const page = await site.page();
  const button = page.getByRole("button", { name: "More" });
  await button.focus();
  await page.keyboard.press("Enter");
  const focused = page.locator("[role=menuitem]:focus");
  await focused.filter({ hasText: "Search in files" }).waitFor();
  expect(await axeComplaints(page, ".menu")).toEqual([]);
  await page.keyboard.press("Escape");
  await button.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await focused.filter({ hasText: "Search in files" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await focused.filter({ hasText: "Open a trace" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await focused.filter({ hasText: "Compare" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Compare" }).waitFor();
});

test("a pane is collapsed by its button, is unreachable then, and stays collapsed on the next visit", async () => {
  const page = await site.page();
  const left = page.locator(".column.left");
  await page.getByRole("button", { name: "Hide the editor" }).click();
  await left.waitFor({ state: "hidden" });
  await page.reload();
  await page.getByRole("button", { name: "Show the editor" }).waitFor();
  await left.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Show the editor" }).click();
  await left.waitFor();
});

test("reduced motion disables transitions [playground:built:reduced-motion]", async () => {
  const page = await site.page();
  const moves = () => page.evaluate(colour(".wire-row", "transition-duration"));
  await page.locator(".wire-row").first().waitFor();
  expect(await moves()).toBe("0s");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect.poll(moves).toBe("0.15s");
});

test("with forced colours the selected row, the open tab and the borders of panes are distinct [playground:built:forced-colours]", async () => {
  const page = await site.page();
  await page.emulateMedia({ forcedColors: "active" });
  await openRow(page, "initialize");
  const styles = [
    ['.wire-row[aria-selected="true"]', "outline-style", "solid"],
    ['.tab[aria-selected="true"]', "border-bottom-width", "4px"],
  ] as const;
  for (const [chosen, style, look] of styles) {
    await expect.poll(() => page.evaluate(colour(chosen, style)), { message: chosen }).toBe(look);
  }
  const line = () => page.evaluate(colour(".splitter", "background-color"));
  const pane = await page.evaluate(colour(".pane", "background-color"));
  await expect.poll(line).not.toBe(pane);
});
