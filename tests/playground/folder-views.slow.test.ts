import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { startInspect } from "../src/inspect-process.ts";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import { openWorkspace, startClient, startServe } from "../src/reference-clients/serve-context.ts";
import { runCommand } from "./actions.ts";
import {
  connectClient,
  openFile,
  openFixture,
  openGarden,
  openPage,
  untilLive,
  write,
} from "./live-fixture.ts";
import { useSite } from "./site.ts";
import { few, shots, takeAll } from "./take-pictures.ts";

// The views of a folder's page, and of an observer.

const site = useSite({ mayComplain: true });

const BEDS = "# Beds\n\nTomatoes\nBeans\n\nPeas\n\nCarrots\n";

// No other file may open the folder whose path is on the pictures: files run in parallel.
async function openShown(flags: readonly string[] = []) {
  const fixture = await openFixture(flags, openGarden(shots !== undefined));
  const page = await openPage(site, fixture.link, { untraced: true });
  await untilLive(page);
  return { ...fixture, page };
}

async function openBeds(flags: readonly string[] = []) {
  const shown = await openShown(flags);
  const beds = write(shown.place, "beds.md", BEDS);
  return { ...shown, beds };
}

const change = (page: Page, name: string) =>
  page.getByTestId("changes").getByRole("button", { name });

const stateOf = (page: Page, name: string, words: string) =>
  change(page, name).getByText(words).waitFor();

async function answer(page: Page, name: "Accept" | "Reject"): Promise<void> {
  await page.getByTestId("review").getByRole("button", { name }).first().click();
}

/** Makes one change in each state of a change. */
async function makeChanges(page: Page, client: ClaudeClient, folder: string): Promise<void> {
  const open = (name: string) => client.edit(join(folder, name), "# New\n\nA line.\n");
  for (const [name, button] of [
    ["accepted.md", "Accept"],
    ["rejected.md", "Reject"],
  ] as const) {
    const edit = open(name);
    await stateOf(page, name, "waiting");
    await answer(page, button);
    await edit.result;
  }
  const withdrawn = open("withdrawn.md");
  await stateOf(page, "withdrawn.md", "waiting");
  withdrawn.answerInTerminal("reject");
  await withdrawn.result;
  client.permissionMode = "acceptEdits";
  await open("unreviewed.md").result;
  client.permissionMode = "default";
  await stateOf(page, "unreviewed.md", "without a review");
}

test("pictures of a folder: its start, a review, a conflict, its files by name", async () => {
  const { place, page } = await openShown();
  await takeAll(page, "live-start", "editor");
  const client = await connectClient(place);
  const file = join(place.folder, "notes.md");
  client.edit(file, readFileSync(file, "utf8").replace("tomatoes", "tomatoes and the peppers"));
  await page.getByLabel("Proposed text of notes.md").waitFor();
  await takeAll(page, "live-review", "editor");
  // Meanwhile, the person types: the same line is changed on both sides.
  await page.getByRole("treeitem", { name: "notes.md" }).click();
  await page.getByLabel("Text of notes.md").getByText("tomatoes").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" In the evening.");
  await takeAll(page, "live-file", "editor");
  await page.getByTestId("changes").getByRole("button").first().click();
  await page.getByTestId("conflicts").waitFor();
  await takeAll(page, "live-conflict", "editor");
  await page.getByRole("button", { name: "Side by side" }).click();
  await takeAll(page, "live-side-by-side", "editor");
  await page.getByRole("button", { name: "Comment on the selected lines" }).click();
  await page.getByTestId("line-comments").locator("textarea").fill("Dry, too.");
  await takeAll(page, "live-line-comment", "editor");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+p");
  await page.getByTestId("quick-open").waitFor();
  await takeAll(page, "live-quick-open", "editor");
});

test("pictures of a folder: the doctor, an unreviewed change, a link used twice, a lost server", async () => {
  const { place, link, page, serve } = await openShown();
  const client = await connectClient(place);
  await runCommand(page, "doctor");
  await page.locator("[data-testid=doctor-status]:not([data-status=running])").waitFor();
  await takeAll(page, "live-doctor", "editor");
  await page.keyboard.press("Escape");
  client.permissionMode = "acceptEdits";
  const deep = join(place.folder, "src/deep.ts");
  client.edit(deep, `${readFileSync(deep, "utf8")}export const beds = 3;\n`);
  const written = page.getByTestId("changes").getByRole("button", { name: /deep\.ts/ });
  await written.click();
  await page.getByTestId("past-review").waitFor();
  await takeAll(page, "live-unreviewed", "editor");
  // A link can be used once.
  const second = await openPage(site, link, { untraced: true });
  await second.getByTestId("guide").getByText("For a new link").waitFor();
  await takeAll(second, "live-refused", "editor");
  serve.kill("SIGKILL");
  await page.locator('[data-testid=live][data-status="lost"]').waitFor();
  await takeAll(page, "live-lost", "editor");
});

test("pictures of a folder: changes in every state, a diff outside of it, agents, a search", async () => {
  const { place, page } = await openBeds();
  const client = await connectClient(place);
  await client.prompt("water them");
  await makeChanges(page, client, place.folder);
  await openFile(page, "beds.md");
  await takeAll(page, "live-changes", "editor");
  await takeAll(page, "live-agents", "agent", few);
  await change(page, "withdrawn.md").click();
  await page.getByTestId("past-review").waitFor();
  await takeAll(page, "live-withdrawn", "editor", few);
  await change(page, "unreviewed.md").click();
  await page.getByRole("button", { name: "Undo everything of this turn" }).click();
  await page.getByTestId("turn").waitFor();
  await takeAll(page, "live-undo-turn", "editor", few);
  await page.keyboard.press("Control+Shift+f");
  await page.getByTestId("search-files").fill("e");
  await page.getByText(/^\d+ lines in/).waitFor();
  await takeAll(page, "live-search", "editor", few);
  await page.getByTestId("search-files").fill("absent");
  await takeAll(page, "live-search-nothing", "editor", few);
  await page.keyboard.press("Escape");
  client.edit(join(place.folder, "..", "outside.md"), "Outside\n");
  await change(page, "outside.md").click();
  await page.getByTestId("outside").waitFor();
  await takeAll(page, "live-outside", "editor", few);
  await answer(page, "Accept");
  await page.getByRole("button", { name: "Accept outside the folder" }).waitFor();
  await takeAll(page, "live-outside-asked", "editor", few);
});

test("pictures of an open file: found text, a waiting change, a file that two have changed", async () => {
  const { place, page, beds } = await openBeds();
  const client = await connectClient(place);
  await openFile(page, "beds.md");
  await page.getByLabel("Text of beds.md").focus();
  await page.keyboard.press("Control+f");
  await page.locator(".cm-search input").first().fill("ea");
  await takeAll(page, "live-find", "editor", few);
  await page.keyboard.press("Escape");
  await page.getByLabel("Text of beds.md").focus();
  await page.keyboard.type("Mine: ");
  writeFileSync(beds, BEDS.replace("Carrots", "Leeks"));
  await page.getByRole("button", { name: "Overwrite with mine" }).waitFor();
  await takeAll(page, "live-stale", "editor");
  await page.getByRole("button", { name: "Use the file on disk" }).click();
  await page.keyboard.press("Control+Home");
  client.edit(join(place.folder, "notes.md"), "# Notes\n\nWater the tomatoes in the evening.\n");
  await stateOf(page, "notes.md", "waiting");
  await takeAll(page, "live-waiting", "editor", few);
});

test("pictures of a review: hidden characters, lines from right to left, a new file, many hunks", async () => {
  const { place, page } = await openBeds();
  const client = await connectClient(place);
  const mixed = write(place, "mixed.md", "# Greeting\nשלום עולם, זו שורה.\nlast line\n");
  client.edit(mixed, "# Greeting\nשלום עולם, זו שורה ועוד.\nlast\u200b line \u202eof it\u202c\n");
  await page.getByTestId("added-hidden").waitFor();
  await takeAll(page, "live-hidden", "editor", few);
  await answer(page, "Reject");
  client.edit(join(place.folder, "plan.md"), "# Plan\n\n- water the beds\n- pull the weeds\n");
  await page.getByLabel("Proposed text of plan.md").waitFor();
  await takeAll(page, "live-new-file", "editor", few);
  await answer(page, "Reject");
  const lines = Array.from({ length: 600 }, (_, at) => `export const value${at} = ${at};`);
  const long = write(place, "src/long.ts", `${lines.join("\n")}\n`);
  const edited = lines.map((line, at) => (at % 60 === 7 ? line.replace("=", "= 2 *") : line));
  client.edit(long, `${edited.join("\n")}\n`);
  await change(page, "long.ts").click();
  await page.getByLabel("Proposed text of src/long.ts").waitFor();
  await page.getByRole("button", { name: "Next hunk" }).first().click();
  await takeAll(page, "live-long", "editor", few);
});

test("pictures of comments in a folder: open, resolved, answered, orphaned, searched", async () => {
  const { place, page } = await openBeds(["--comments"]);
  const source =
    "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";
  const sum = write(place, "sum.js", source);
  await openFile(page, "sum.js");
  await page.getByTestId("comments").click();
  for (const [line, text] of [
    [1, "Is this still called?"],
    [5, "Why two, and not three?"],
  ] as const) {
    await page
      .locator(".cm-comment-gutter .cm-gutterElement")
      .nth(line - 1)
      .click();
    await page.getByTestId("comment-text").fill(text);
    await page.getByTestId("comment-submit").click();
    await page.locator(".comment-card").filter({ hasText: text }).waitFor();
  }
  await takeAll(page, "live-comments", "editor");
  writeFileSync(sum, source.slice(source.indexOf("export function two")));
  await page.locator(".comment-place.lost").first().waitFor();
  await takeAll(page, "live-orphan", "editor", few);
  await page.getByTestId("comment-search").fill("tag:TODO called");
  await page.getByText(/^Found/).waitFor();
  await takeAll(page, "live-comments-found", "editor", few);
  await page.getByTestId("comment-search").fill("");
  writeFileSync(`${sum}.comments`, "{");
  await page.getByRole("alert").getByText("Comment file is corrupted").waitFor();
  await takeAll(page, "live-comments-corrupt", "editor", few);
});

test("pictures of an observer: before an agent, between agent and editor, and as an agent", async () => {
  const place = openWorkspace("home", "notes");
  const serve = startServe(place);
  await serve.event("listening");
  const run = startInspect(place, ["--web"]);
  const { page: link, port } = await run.event("inspecting");
  const page = await site.page({ url: "about:blank" });
  await page.goto(String(link));
  await page.getByTestId("guide").getByText("CLAUDE_CODE_SSE_PORT").waitFor();
  await takeAll(page, "observe-start", "editor", few);
  const client = await startClient(place, {
    env: { HOME: place.env.HOME, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  await client.untilReady();
  client.edit(join(place.folder, "a.md"), "# A\n");
  await serve.event("diff-opened");
  await page.getByRole("row", { name: "tools/call openDiff" }).first().click();
  await page.getByTestId("frame-view").getByText("show a diff of a.md").waitFor();
  await takeAll(page, "observe", "editor");
  const asking = startInspect(place, ["--web", "--as-agent"]);
  const { page: other } = await asking.event("inspecting");
  await page.goto(String(other));
  await page.getByTestId("tool").selectOption("getWorkspaceFolders");
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText(place.folder).first().waitFor();
  await takeAll(page, "as-agent", "editor");
});

test("pictures of the commands of a folder, and of its palette", async () => {
  const { page } = await openBeds();
  await page.getByTestId("more").click();
  await page.getByRole("menu").waitFor();
  await takeAll(page, "live-menu", "editor", few);
  await page.keyboard.press("Escape");
  await runCommand(page, "keys");
  await page.getByRole("dialog").waitFor();
  await takeAll(page, "live-keys", "editor", few);
});
