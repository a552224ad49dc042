import type { Page } from "playwright-core";
import { test } from "vitest";
import { silentPort } from "../src/silent-port.ts";
import { askForChange, openRow, openTab, openTrace, runCommand } from "./actions.ts";
import { useSite } from "./site.ts";
import { type PaneName, takeAll } from "./take-pictures.ts";
import { recordTools, weatherVersions } from "./tool-lists.ts";

const site = useSite({ mayComplain: true });

/** A view of the page: how to show it, and its pane, as a phone shows one at a time. */
interface View {
  readonly pane: PaneName;
  readonly show: (page: Page) => Promise<void>;
}

/** The views of the page that simulates both ends. */
const views: Readonly<Record<string, View>> = {
  start: { pane: "editor", show: async () => {} },
  agent: { pane: "agent", show: async () => {} },
  review: { pane: "editor", show: async (page) => void (await askForChange(page)) },
  comments: { pane: "editor", show: showComments },
  list: { pane: "wire", show: async (page) => void (await askForChange(page)) },
  frame: { pane: "frame", show: (page) => showFrame(page) },
  schema: { pane: "frame", show: showSchema },
  sequence: { pane: "wire", show: (page) => showTab(page, "Sequence", ".sequence-row") },
  dialects: { pane: "wire", show: (page) => showTab(page, "Dialects", ".dialect-column") },
  checks: { pane: "wire", show: showChecks },
  faults: { pane: "editor", show: (page) => showDialog(page, "faults") },
  share: { pane: "editor", show: (page) => showDialog(page, "share") },
  palette: { pane: "editor", show: showPalette },
  tours: { pane: "editor", show: (page) => page.getByTestId("tour").click() },
  search: { pane: "editor", show: showSearch },
  answered: { pane: "editor", show: showAnswered },
  raw: { pane: "frame", show: (page) => showFrameTab(page, "Raw") },
  tree: { pane: "frame", show: (page) => showFrameTab(page, "Tree") },
  keys: { pane: "editor", show: (page) => showCommand(page, "keys") },
  filters: { pane: "editor", show: (page) => showDialog(page, "saved-filters") },
  breakpoint: { pane: "editor", show: (page) => showCommand(page, "breakpoint") },
  compare: { pane: "editor", show: (page) => showCommand(page, "compare sessions") },
  replay: { pane: "editor", show: (page) => showCommand(page, "replay against") },
  latency: { pane: "editor", show: (page) => showCommand(page, "latency by tool") },
  scenario: { pane: "editor", show: (page) => showCommand(page, "save as scenario") },
  inspector: { pane: "editor", show: (page) => showCommand(page, "inspector") },
  unknown: { pane: "editor", show: showUnknown },
  toast: { pane: "editor", show: showToast },
  surface: { pane: "editor", show: showSurface },
  "server-form": { pane: "editor", show: showServerForm },
  menu: { pane: "editor", show: (page) => page.getByTestId("more").click() },
  compared: { pane: "editor", show: showCompared },
  replayed: { pane: "editor", show: showReplayed },
  proof: { pane: "wire", show: showProof },
  held: { pane: "wire", show: showHeld },
  tour: { pane: "editor", show: showTour },
  presenter: { pane: "editor", show: showPresenter },
};

/** Two connections of one agent. */
async function showCompared(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByText("Connected to").nth(1).waitFor();
  await runCommand(page, "compare sessions");
  await page.getByTestId("comparison").waitFor();
}

async function showToast(page: Page): Promise<void> {
  await showFrame(page);
  await page.getByRole("button", { name: "Copy JSON" }).click();
  await page.getByText("Copied", { exact: true }).waitFor();
}

/** The differences between two versions of an MCP server, as they affect its clients. */
async function showSurface(page: Page): Promise<void> {
  const [one, two] = await Promise.all(weatherVersions.map(recordTools));
  await openTrace(page, "monday.jsonl", one ?? "");
  await page.keyboard.press("Escape");
  await runCommand(page, "compare sessions");
  const buffer = Buffer.from(two ?? "");
  const file = { name: "tuesday.jsonl", mimeType: "application/octet-stream", buffer };
  await page.getByTestId("compare-file").setInputFiles(file);
  await page.getByRole("heading", { name: "What B changes for clients of A" }).waitFor();
}

/** The form of the page's own inspector, and a server that does not admit the page. */
async function showServerForm(page: Page): Promise<void> {
  await runCommand(page, "Inspector");
  await page.getByTestId("server-url").fill(`http://localhost:${await silentPort()}/mcp`);
  await page.getByTestId("server-url").press("Enter");
  await page.getByTestId("server-problem").waitFor();
}

async function showReplayed(page: Page): Promise<void> {
  await showCommand(page, "replay against");
  await page.getByTestId("replay").click();
  await page.getByTestId("comparison").waitFor();
}

/** A rule and the frames that prove its verdict. */
async function showProof(page: Page): Promise<void> {
  await showChecks(page);
  await page.getByRole("option", { name: "IDE-KEEP-001" }).click();
  await page.getByTestId("proof").getByRole("option", { name: /ping/ }).first().click();
}

async function showHeld(page: Page): Promise<void> {
  await runCommand(page, "breakpoint");
  await page.getByTestId("break-filter").fill("tool:openDiff kind:request");
  await page.getByTestId("break-set").click();
  await page.getByTestId("ask").click();
  await page.getByTestId("held").getByText("1 frame held").waitFor();
}

async function showTour(page: Page): Promise<void> {
  await page.evaluate("location.hash = 'tour=diff-accepted&play=no'");
  await page.reload();
  for (let step = 0; step < 3; step += 1) await page.getByTestId("step").click();
}

async function showPresenter(page: Page): Promise<void> {
  await showTour(page);
  await runCommand(page, "presenter");
  await page.getByTestId("presenter-notes").waitFor();
}

async function showSearch(page: Page): Promise<void> {
  await page.keyboard.press("Control+Shift+f");
  await page.getByTestId("search-files").fill("water");
  await page.getByText(/^\d+ lines in/).waitFor();
}

async function showAnswered(page: Page): Promise<void> {
  const review = await askForChange(page);
  await review.getByRole("button", { name: "Accept" }).first().click();
  await page.getByText("Wrote README.md").waitFor();
  await page.getByTestId("changes").getByRole("button").first().click();
  await page.getByTestId("past-review").waitFor();
}

async function showFrameTab(page: Page, tab: string): Promise<void> {
  await showFrame(page);
  await openTab(page, tab);
}

async function showCommand(page: Page, words: string): Promise<void> {
  await askForChange(page);
  await runCommand(page, words);
  await page.getByRole("dialog").waitFor();
}

/** An unknown tour and an invalid filter. */
async function showUnknown(page: Page): Promise<void> {
  await page.evaluate("location.hash = 'tour=nothing'");
  await page.reload();
  await page.getByTestId("filter").fill("dir:");
  await page.getByText("There is no tour").waitFor();
}

async function showComments(page: Page): Promise<void> {
  await page.getByTestId("comments").click();
  const edge = page.locator(".cm-comment-gutter .cm-gutterElement");
  for (const [line, tag] of [
    [3, "QUESTION"],
    [6, "TODO"],
  ] as const) {
    await edge.nth(line).click();
    await page.getByTestId("comment-text").fill("Does this hold in a dry summer, too?");
    await page.getByTestId("comment-tag").selectOption(tag);
    await page.getByTestId("comment-submit").click();
    await page.getByTestId("comment-text").waitFor({ state: "detached" });
  }
  await edge.nth(4).click();
  await page.getByTestId("comment-text").fill("One that is being written");
}

async function showFrame(page: Page): Promise<void> {
  await askForChange(page);
  await openRow(page, "openDiff");
  await page.locator(".sentence").waitFor();
}

async function showSchema(page: Page): Promise<void> {
  await showFrame(page);
  await openTab(page, "Schema");
  await page.getByRole("heading", { name: "Arguments of openDiff" }).waitFor();
}

async function showTab(page: Page, tab: string, part: string): Promise<void> {
  await askForChange(page);
  await openTab(page, tab);
  await page.locator(part).first().waitFor();
}

async function showChecks(page: Page): Promise<void> {
  await openTab(page, "Checks");
  await page.getByTestId("run-checks").click();
  await page.locator("[data-testid=check-status][data-status=ok]").waitFor();
}

async function showDialog(page: Page, button: string): Promise<void> {
  await page.getByTestId(button).click();
  await page.getByRole("dialog").waitFor();
}

async function showPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette").waitFor();
}

test.each(Object.entries(views))("a picture in every look: %s", async (name, { pane, show }) => {
  const page = await site.connected();
  await show(page);
  await takeAll(page, name, pane);
});
