import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type SitePageOptions, useSite } from "./site.ts";

const site = useSite();

async function openCode(options: SitePageOptions = {}): Promise<Page> {
  const page = await site.page(options);
  await page.getByRole("button", { name: "watering.ts" }).click();
  await page.getByLabel("Text of src/watering.ts").getByText("litresFor").waitFor();
  return page;
}

test("a problem is underlined, marked in the gutter, and described at the pointer", async () => {
  const page = await openCode();
  const received = page.locator(".cm-tooltip-lint");
  await page.locator(".cm-lintRange-error", { hasText: "==" }).hover();
  await received.getByText("Expected '===' and instead saw '=='").waitFor();
  // The tooltip stays under the pointer, so that it can be read and copied.
  await received.hover();
  expect(await received.isVisible()).toBe(true);
  await page.locator(".cm-lint-marker-warning").hover();
  await received.getByText("Unexpected var").waitFor();
  await page.getByRole("heading", { name: "Agent", exact: true }).hover();
  await received.waitFor({ state: "hidden" });
});

test("marks move with the text, and disappear when the problem is fixed", async () => {
  const page = await openCode();
  await page.locator(".cm-lintRange-warning", { hasText: "var" }).dblclick();
  await page.keyboard.press("Home");
  await page.keyboard.type("// ");
  await page.locator(".cm-lintRange-warning", { hasText: "var" }).dblclick();
  await page.keyboard.type("const");
  await page.locator(".cm-lintRange-warning").waitFor({ state: "detached" });
  await page.locator(".cm-lint-marker-warning").waitFor({ state: "detached" });
  await expect.poll(() => page.locator(".cm-lintRange-error").count()).toBe(1);
});

test("letters that are typed between a drawing and its effects stay where they were typed", async () => {
  // A tab of its own, since its clock is stopped.
  const page = await openCode({ url: site.origin });
  await page.locator(".cm-line").first().click();
  await page.keyboard.press("Home");
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  // Rendered at once; effects wait for the next frame.
  await page.keyboard.type("a");
  await page.keyboard.type("b");
  // One frame, but no re-render yet.
  await page.clock.runFor(20);
  await page.keyboard.type("c");
  await page.clock.runFor(1_000);
  expect(await page.locator(".cm-line").first().textContent()).toMatch(/^abc/);
});

const written = [
  "/* a",
  "b */",
  "if (x / 2) {",
  `  let s = \`t\${v.name}u\`;`,
  "  let r = /w\\/[/]/g, q = 'p';",
  "  last()",
];

/** The words by colour, without those in the text's own colour. */
function wordsByColour(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const { shadowRoot } = document.querySelector(".shadow-host");
    const words = new Map();
    for (const span of shadowRoot.querySelectorAll(".cm-line span")) {
      const { color } = getComputedStyle(span);
      words.set(color, [...(words.get(color) ?? []), span.textContent]);
    }
    return [...words.values()].map((list) => list.join(" "));
  })()`);
}

test("code is highlighted over lines and within templates, and indented by its brackets", async () => {
  const page = await openCode();
  const text = page.getByLabel("Text of src/watering.ts");
  await text.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  // The editor indents automatically.
  await page.keyboard.type(written.map((line) => line.trim()).join("\n"));
  await expect.poll(() => text.locator(".cm-line").allInnerTexts()).toEqual(written);
  await expect
    .poll(() => wordsByColour(page))
    .toEqual(["/* a b */", "if let let", "2", `\`t\${ }u\` /w\\/[/]/g 'p'`, "name"]);
});
