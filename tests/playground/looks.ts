import type { Page } from "playwright-core";
import { expect } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";

/** The viewport and theme of a page. */
export interface Look {
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

/** Three widths and two themes. */
export const looks = {
  light: { width: 1440, height: 900, dark: false },
  dark: { width: 1440, height: 900, dark: true },
  narrow: { width: 900, height: 700, dark: true },
  "narrow, light": { width: 900, height: 700, dark: false },
  phone: { width: 390, height: 844, dark: false },
  "phone, dark": { width: 390, height: 844, dark: true },
} as const satisfies Readonly<Record<string, Look>>;

/** Changes the look of an open page. */
export async function lookAs(page: Page, { width, height, dark }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  const isDark = `matchMedia("(prefers-color-scheme: dark)").matches`;
  await expect.poll(() => page.evaluate<boolean>(isDark)).toBe(dark);
}

/** The texts of headings, tabs and column headers that are cut; a folder's name may be long. */
const CUT_HEADINGS = `(() => {
  const headings = "h2, h3, h4, th, legend, caption, [role=heading], [role=columnheader], [role=tab]";
  // Rounding makes a pixel of difference.
  const isCut = (one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
  return [...document.querySelectorAll(headings)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest(".visually-hidden") === null)
    .filter((one) => getComputedStyle(one).clipPath === "none")
    .filter((one) => isCut(one) || [...one.children].some(isCut))
    .map((one) => one.textContent);
})()`;

/** Expects no horizontal overflow. */
export async function expectToFit(page: Page, where: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const needed = () => page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
  await expect.poll(needed, { message: where }).toBe(width);
}

/** Expects no horizontal overflow and no cut heading. */
export async function expectWholeHeadings(page: Page, where: string): Promise<void> {
  await expectToFit(page, where);
  await expect
    .poll(() => page.evaluate<string[]>(CUT_HEADINGS), { message: `cut headings of ${where}` })
    .toEqual([]);
}

/** Expects the page to fit, and axe to find nothing in the part of a selector. */
export async function expectGoodLook(page: Page, where: string, selector?: string): Promise<void> {
  await expectToFit(page, where);
  expect(await axeComplaints(page, selector), where).toEqual([]);
}
