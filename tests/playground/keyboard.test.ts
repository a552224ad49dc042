import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  askForChange,
  chooseInMenu,
  openRow,
  openTab,
  openWithChange,
  runCommand,
  untilIdle,
} from "./actions.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** The pane that has the focus; `nowhere` if none has. */
function focusedPane(page: Page): Promise<string> {
  return page.evaluate(
    'document.activeElement?.closest("[data-pane]")?.dataset.pane ?? (document.activeElement === document.body ? "nowhere" : "outside")',
  );
}

test("arrow keys lead from a frame to its cause and its effects, p to its pair [playground:2:cause-keys]", async () => {
  const page = await openWithChange(site);
  const row = (name: string) => page.getByRole("row", { name, selected: true });
  const list = page.getByRole("grid", { name: "Frames" });
  await openRow(page, "tools/call getDiagnostics");
  await list.focus();
  await page.keyboard.press("p");
  await row("result of tools/call getDiagnostics").waitFor();
  await page.keyboard.press("p");
  await page.getByTestId("frame-view").getByText("asks for the diagnostics of").waitFor();
  await page.keyboard.press("ArrowLeft");
  await row("the agent wants to change README.md").waitFor();
  await page.getByRole("heading", { name: /^Event \d/ }).waitFor();
  for (const name of ["getDiagnostics", "result of tools/call", "tools/call openDiff"]) {
    await page.keyboard.press("ArrowRight");
    await row(name).waitFor();
  }
  await page.keyboard.press("ArrowRight");
  await row("the editor shows the diff").waitFor();
  const facts = page.getByTestId("frame-view");
  await facts.getByRole("button", { name: /^frame \d+, tools\/call/ }).click();
  await row("tools/call openDiff").waitFor();
});

test("the sequence draws lines from actions to frames and to their effects [playground:2:causes]", async () => {
  const page = await site.page();
  const review = await askForChange(page);
  await review.getByRole("button", { name: "Accept" }).first().click();
  await openTab(page, "Sequence");
  const list = page.getByRole("listbox", { name: /^Sequence of frames/ });
  const answer = list.getByRole("option", { name: "result of tools/call openDiff" });
  await answer.click();
  await list.getByRole("option", { name: "the person accepts README.md" }).waitFor();
  await list.getByRole("option", { name: "the agent prints: Wrote README.md" }).waitFor();
  // The line from an action to its answer ends at the row of the answer.
  const strong = list.locator(".cause-link.strong");
  await expect.poll(() => strong.count()).toBeGreaterThan(1);
  const endsThere = async (): Promise<boolean> => {
    const row = await answer.boundingBox();
    const middle = (row?.y ?? 0) + (row?.height ?? 0) / 2;
    const boxes = await Promise.all((await strong.all()).map((link) => link.boundingBox()));
    return boxes.some((box) => box !== null && Math.abs(box.y + box.height - middle) < 3);
  };
  await expect.poll(endsThere).toBe(true);
});

test("panes are resized by keys, folded and unfolded by Enter, and their size can be read [playground:built:splitters]", async () => {
  const page = await site.connected();
  const splitter = page.getByRole("separator", { name: "Width of the editor" });
  const pane = page.locator("[data-pane=editor]");
  const width = async (): Promise<number> => Math.round((await pane.boundingBox())?.width ?? -1);
  const before = await width();
  await splitter.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(width).toBe(before + 24);
  await expect.poll(() => splitter.getAttribute("aria-valuenow")).toBe(String(before + 24));
  await page.keyboard.press("Enter");
  await expect.poll(width).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(width).toBe(before);
});

test("the focus stays in its pane when the focused element is removed [playground:built:focus]", async () => {
  const page = await site.page();
  // The focus guard is installed when the page is idle, just before the tours are loaded.
  await untilIdle(page);
  await page.getByTestId("ask").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Make this change?").waitFor();
  await expect.poll(() => focusedPane(page)).toBe("agent");
  const accept = page.getByTestId("review").getByRole("button", { name: "Accept" }).first();
  await accept.focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("review").waitFor({ state: "detached" });
  await expect.poll(() => focusedPane(page)).toBe("editor");
  const commands = page.getByRole("button", { name: "Commands" });
  await commands.focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("palette").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Commands" }).and(page.locator(":focus")).waitFor();
});

test("F6 cycles the panes, / focuses the filter, and arrows move through tabs [playground:built:keys]", async () => {
  const page = await site.connected();
  // When the page is idle, it installs the keys, then selects the first frame.
  await page.getByRole("row", { selected: true }).waitFor();
  await page.getByTestId("filter").waitFor();
  for (const pane of ["agent", "wire", "frame", "editor"]) {
    await page.keyboard.press("F6");
    await expect.poll(() => focusedPane(page)).toBe(pane);
  }
  await page.getByTestId("mention").focus();
  await page.keyboard.press("/");
  await page.getByTestId("filter").and(page.locator(":focus")).waitFor();
  await page.getByRole("tab", { name: "Summary" }).focus();
  await page.keyboard.press("ArrowRight");
  await page
    .getByRole("tab", { name: "Tree", selected: true })
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("tab", { name: "Schema", selected: true }).waitFor();
});

test("presenter mode has large type, notes and one key per step; Escape ends it [playground:1:presenter]", async () => {
  const page = await site.page({ path: "#tour=mention&play=no" });
  await page.getByText("0/4").waitFor();
  const row = page.locator(".wire-row").first();
  const height = async (): Promise<number> => (await row.boundingBox())?.height ?? 0;
  await expect.poll(height).toBe(24);
  await runCommand(page, "presenter");
  const notes = page.getByTestId("presenter-notes");
  await notes.getByText("Next: The agent reads the lock file").waitFor();
  await expect.poll(height).toBe(36);
  await page.keyboard.press("Space");
  await page.getByText("1/4").waitFor();
  await page.keyboard.press("PageDown");
  await page.getByText("2/4").waitFor();
  await page.keyboard.press("Escape");
  await notes.waitFor({ state: "detached" });
  await expect.poll(height).toBe(24);
});

test("a tour is played, paused, stepped through and played faster [playground:1:transport]", async () => {
  const page = await site.page({ path: "#tour=selection&play=no" });
  await page.getByText("0/6").waitFor();
  await page.getByTestId("step").click();
  await page.getByText("1/6").waitFor();
  // At full speed, a slow machine could finish the tour before the pause.
  await chooseInMenu(page, "speed", "0.25×");
  await page.getByTestId("play").click();
  await page.getByText("2/6").waitFor();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await chooseInMenu(page, "speed", "10×");
  await page.getByTestId("play").click();
  await page.getByText("6/6").waitFor();
  await page.getByRole("button", { name: "Next tour" }).waitFor();
});

test("a menu of the bar opens at the chosen one, letters and arrows move in it, and Escape goes back", async () => {
  const page = await site.page({ path: "#tour=selection&play=no" });
  await page.getByText("0/6").waitFor();
  const focused = (name: string) =>
    page.getByRole("menuitemradio", { name, exact: true }).and(page.locator(":focus")).waitFor();
  const button = page.getByRole("button", { name: "Tour: Selection" });
  await button.focus();
  await page.keyboard.press("Enter");
  await focused("Selection");
  await page.keyboard.press("ArrowDown");
  await focused("At-mention");
  await page.keyboard.press("h");
  await focused("Hostile web page");
  await page.keyboard.press("h");
  await focused("Huge selection");
  await page.keyboard.press("Escape");
  await button.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await focused("Selection");
  await page.keyboard.press("Home");
  await focused("Try it yourself");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Tour: Try it yourself" }).waitFor();
  await page.getByText("0/6").waitFor({ state: "detached" });
});
