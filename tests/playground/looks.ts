import type { Page } from "playwright-core";
import { expect } from "vitest";
import { axeComplaints } from "../src/axe-complaints.ts";

/** How a page may be looked at. */
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

/** Looks at a page that is there in another way. */
export async function lookAs(page: Page, { width, height, dark }: Look): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  const isDark = `matchMedia("(prefers-color-scheme: dark)").matches`;
  await expect.poll(() => page.evaluate<boolean>(isDark)).toBe(dark);
}

/** The texts of headings, tabs and names of columns of which a part cannot be seen; a folder's name may be long. */
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

/** Nothing runs off the screen. */
export async function expectToFit(page: Page, where: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const needed = () => page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
  await expect.poll(needed, { message: where }).toBe(width);
}

/** Nothing runs off the screen, and no heading is cut. */
export async function expectWholeHeadings(page: Page, where: string): Promise<void> {
  await expectToFit(page, where);
  await expect
    .poll(() => page.evaluate<string[]>(CUT_HEADINGS), { message: `cut headings of ${where}` })
    .toEqual([]);
}

/** It fits, and axe finds nothing to complain of in what a selector leads to. */
export async function expectGoodLook(page: Page, where: string, selector?: string): Promise<void> {
  await expectToFit(page, where);
  expect(await axeComplaints(page, selector), where).toEqual([]);
}
