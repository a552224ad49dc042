import { createRequire } from "node:module";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { askForChange, openRow, openTab } from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

const everything = createRequire(new URL("../interop/package.json", import.meta.url)).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

/** The style functions of a page's globals. */
interface Styles {
  getComputedStyle(
    element: unknown,
    part?: string,
  ): Readonly<
    Record<
      | "outlineStyle"
      | "borderTopWidth"
      | "borderBottomWidth"
      | "backgroundColor"
      | "backgroundImage"
      | "clipPath"
      | "color",
      string
    >
  >;
  readonly document: { readonly body: unknown };
}

/** How an element, or a part of it, differs from its surroundings. */
async function lookOf(element: Locator, part?: "::before") {
  return element.evaluate((one, pseudo) => {
    const page = globalThis as unknown as Styles;
    const own = page.getComputedStyle(one, pseudo);
    return {
      isOutlined: own.outlineStyle !== "none",
      isUnderlined: own.borderBottomWidth !== own.borderTopWidth,
      isFilled: own.backgroundColor !== page.getComputedStyle(page.document.body).backgroundColor,
    };
  }, part);
}

test("in forced colours the chosen tool and tab, the connection and the selected row are seen", async () => {
  const place = openWorkspace("home", "notes");
  const run = startInspect(place, ["--web", "--", process.execPath, everything]);
  const { page: link } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
  await page.emulateMedia({ forcedColors: "active" });
  const [chosen, other] = [0, 1].map((at) => page.locator("button.entry").nth(at));
  await chosen?.click();
  // Moves the focus away, since a focused element has an outline anyway.
  await page.getByTestId("search-entries").focus();
  expect(await lookOf(chosen as Locator)).toMatchObject({ isOutlined: true });
  expect(await lookOf(other as Locator)).toMatchObject({ isOutlined: false });
  expect(await lookOf(page.getByRole("tab", { name: /^Tools/ }))).toMatchObject({
    isUnderlined: true,
  });
  expect(await lookOf(page.getByRole("tab", { name: /^Prompts/ }))).toMatchObject({
    isUnderlined: false,
  });
  expect(await lookOf(page.getByTestId("inspect"), "::before")).toMatchObject({ isFilled: true });
  expect(await lookOf(page.getByTestId("call"))).toMatchObject({ isFilled: true });
  await openRow(page, "tools/list");
  await page.getByTestId("search-entries").focus();
  const row = page.locator('.wire-row[aria-selected="true"]');
  expect(await lookOf(row)).toMatchObject({ isOutlined: true });
});

test("in forced colours the sequence shows directions and waiting requests", async () => {
  const page = await site.connected();
  await askForChange(page);
  await openTab(page, "Sequence");
  await page.emulateMedia({ forcedColors: "active" });
  const styleOf = (element: Locator, part?: "::after") =>
    element.evaluate((one, pseudo) => {
      const own = (globalThis as unknown as Styles).getComputedStyle(one, pseudo);
      const { backgroundColor, backgroundImage, clipPath, color } = own;
      return { backgroundColor, backgroundImage, clipPath, color };
    }, part);
  const { color } = await styleOf(page.locator("body"));
  for (const sender of ["agent", "ide"]) {
    const head = await styleOf(page.locator(`.sequence-row.${sender} .arrow`).first(), "::after");
    expect(head).toMatchObject({
      backgroundColor: color,
      clipPath: expect.stringMatching(/^polygon/),
    });
  }
  const bar = await styleOf(page.locator(".wait-bar.open"));
  expect(bar.backgroundImage).toContain(color);
});
