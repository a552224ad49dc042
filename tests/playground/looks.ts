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

/**
 * The texts of headings, tabs, buttons and column headers that are cut off, out of sight to the side, or covered by
 * another. The description of an entry may be cut: it is shown in full beside the list.
 */
const LOST_HEADINGS = `(() => {
  const headings = "h2, h3, h4, th, legend, caption, button, [role=heading], [role=columnheader], [role=tab]";
  // Rounding makes a pixel of difference.
  const isCut = (one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1 && !one.matches(".entry-about");
  const styles = new Map();
  const styleOf = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
  const isFloating = (one) => one !== null && (/absolute|fixed|sticky/.test(styleOf(one).position) || isFloating(one.parentElement));
  const seen = (one, box) => {
    let { left, right, top, bottom } = box;
    for (let edge = one.parentElement; edge !== null; edge = edge.parentElement) {
      const { overflowX, overflowY, display } = styleOf(edge);
      if (/inline$|contents/.test(display) || (overflowX === "visible" && edge !== document.documentElement)) continue;
      const around = edge === document.documentElement ? { left: 0, right: innerWidth, top: 0, bottom: innerHeight } : edge.getBoundingClientRect();
      left = Math.max(left, around.left);
      right = Math.min(right, around.right);
      top = Math.max(top, around.top);
      bottom = Math.min(bottom, around.bottom);
    }
    return { left, right, top, bottom };
  };
  const modal = document.querySelector("dialog:modal") ?? document;
  const shown = [...modal.querySelectorAll(headings)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest(".visually-hidden") === null)
    .filter((one) => styleOf(one).clipPath === "none")
    .map((one) => {
      const box = one.getBoundingClientRect();
      return { one, box, part: seen(one, box), text: one.ariaLabel ?? one.textContent };
    });
  const lost = shown
    .filter(({ one, box, part }) => isCut(one) || [...one.children].some(isCut) || part.right - part.left < box.width - 1.5)
    .map(({ text }) => text);
  const fixed = shown.filter(({ one, part }) => part.bottom > part.top && part.right > part.left && !isFloating(one));
  const covers = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const pairs = fixed.flatMap((a, at) => fixed.slice(at + 1).filter((b) => covers(a.part, b.part) && !a.one.contains(b.one))
    .map((b) => a.text + " / " + b.text));
  return [...lost, ...pairs];
})()`;

/** Expects no horizontal overflow. */
export async function expectToFit(page: Page, where: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const needed = () => page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
  await expect.poll(needed, { message: where }).toBe(width);
}

/** Expects no horizontal overflow, and no heading, tab or button that is cut, out of sight or covered. */
export async function expectWholeHeadings(page: Page, where: string): Promise<void> {
  await expectToFit(page, where);
  await expect
    .poll(() => page.evaluate<string[]>(LOST_HEADINGS), { message: `lost headings of ${where}` })
    .toEqual([]);
}

/** In CSS pixels: on both sides of each width at which bars and panes are laid out anew. */
const widths = [320, 440, 600, 768, 900, 1100, 1440];

/** Expects whole headings, tabs and buttons at each width. */
export async function expectWholeAtAnyWidth(page: Page, where: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 760 });
    await expectWholeHeadings(page, `${where}, ${width} px`);
  }
}

/** Expects the page to fit, and axe to find nothing in the part of a selector. */
export async function expectGoodLook(page: Page, where: string, selector?: string): Promise<void> {
  await expectToFit(page, where);
  expect(await axeComplaints(page, selector), where).toEqual([]);
}
