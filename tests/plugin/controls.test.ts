import { expect, test } from "vitest";
import { type ObsidianHost, start, type Theme } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { openFixture } from "./review-fixture.ts";

const note = "# Plan\n\nWe meet in the park.\n\nBring bread.\n\n[[Nowhere]]\n";
const proposed = note.replace("park", "garden").replace("bread", "cheese");
const vaultFiles = { "A.md": note, "B.md": note };

const widths = [660, 900, 1280];
const themes: readonly Theme[] = ["light", "dark"];

/**
 * Lists the enabled controls below an element. A mouse reaches a control if, scrolled into view, the element
 * at its centre is the control or inside it. Runs in the page.
 */
const covered = (selector: string) => `[...document.querySelectorAll(${JSON.stringify(selector)})]
  .flatMap((root) => [...root.querySelectorAll(
    "button, a[href], input, select, summary, textarea, .menu-item, [role=button], .clickable-icon, .checkbox-container",
  )])
  .filter((el) => el.checkVisibility({ visibilityProperty: true }) && !el.disabled)
  .map((el) => {
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = el.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    const name = el.getAttribute("aria-label") || el.textContent.trim() || el.className;
    return { name, isReached: el.contains(at) || at?.contains(el) && at.matches("label, .checkbox-container"), by: at?.className };
  })`;

interface Control {
  readonly name: string;
  readonly isReached: boolean;
  readonly by: unknown;
}

/** The visible controls, and those of them that a mouse does not reach. */
async function look({ page }: ObsidianHost, selector: string) {
  const controls = (await page.evaluate(covered(selector))) as Control[];
  return { count: controls.length, covered: controls.filter(({ isReached }) => !isReached) };
}

/** Expects a mouse to reach every visible control, at each width and in each theme. */
async function expectReached(host: ObsidianHost, selector: string, atLeast: number): Promise<void> {
  for (const width of widths) {
    await host.page.setViewportSize({ width, height: 720 });
    for (const theme of themes) {
      await host.setTheme(theme);
      // The layout adapts to the width asynchronously.
      await expect
        .poll(() => look(host, selector), { message: `${selector} at ${width} px, ${theme}` })
        .toEqual({ count: expect.toSatisfy((count) => count >= atLeast), covered: [] });
    }
  }
}

test("a control that something covers is found", async () => {
  const host = await start({ vaultFiles, open: "A.md" });
  await host.page.locator(".idewire-status").waitFor();
  expect((await look(host, ".status-bar")).covered).toEqual([]);
  await host.page.evaluate(`document.body.createDiv({
    cls: "cover",
    attr: { style: "position: fixed; inset: 0; z-index: 9999" },
  })`);
  const { covered } = await look(host, ".status-bar");
  expect(covered).toMatchObject([{ isReached: false, by: "cover" }]);
});

verifies(
  "plugin:8:reachable",
  "nothing covers a control of a review, past or pending",
  async () => {
    const { host, agent, propose, person } = await openFixture({ vaultFiles, open: "A.md" });
    await propose("A.md", proposed);
    agent.edit(`${host.vault}/B.md`, proposed);
    await host.page.locator(".idewire-review-queue").waitFor();
    await person.untilArmed();
    const review = ".idewire-review";
    await expectReached(host, review, 8);
    await host.commands.run("review-switch-layout");
    await expectReached(host, review, 8);
    await host.commands.run("review-toggle-preview");
    await expectReached(host, review, 8);
    host.write("A.md", note.replace("Bring", "Take"));
    await host.page.locator(".idewire-banner").waitFor();
    await expectReached(host, review, 9);
    await person.press("Merge both");
    await person.untilBanners("Both versions are merged. Check the result.");
    await person.press("Reject file");
    await person.untilName("B.md");
    await person.untilArmed();
    await person.press("Reject file");
    await person.untilClosed();
    await host.commands.run("review-history");
    await host.page.locator(".idewire-history-item").first().waitFor();
    await expectReached(host, ".modal", 3);
    await host.page.locator(".idewire-history-open").first().click();
    await host.page.locator(review).waitFor();
    await expectReached(host, review, 2);
  },
);

verifies(
  "plugin:8:reachable",
  "nor of the windows, the settings, the report, the menus and the status bar",
  async () => {
    const host = await start({ vaultFiles, open: "A.md", firstStart: true });
    await host.notice(/./);
    await expectReached(host, ".notice-container", 1);
    const agent = await host.agents.connect();
    await expectReached(host, ".status-bar", 1);
    await host.page.locator(".idewire-status").click();
    await host.page.locator(".menu").waitFor();
    expect((await look(host, ".menu")).covered).toEqual([]);
    await host.page.keyboard.press("Escape");
    for (const [command, selector, atLeast] of [
      ["connection", ".modal", 2],
      ["last-shared", ".modal", 1],
      ["check-all-notes", ".idewire-report", 1],
    ] as const) {
      await host.commands.run(command);
      await host.page.locator(selector).waitFor();
      await expectReached(host, selector, atLeast);
      if (selector === ".modal") await host.page.keyboard.press("Escape");
    }
    await host.settings.open();
    await expectReached(host, ".modal", 10);
    expect(agent.violations).toEqual([]);
  },
);
