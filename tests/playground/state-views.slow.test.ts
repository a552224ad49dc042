import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { onTestFinished, test } from "vitest";
import { addFault, askForChange, openRow, openTab, openTrace, runCommand } from "./actions.ts";
import { useSite } from "./site.ts";
import { few, type PaneName, takeAll } from "./take-pictures.ts";

// The states of the simulation's views, such as a past moment or no matches.

const site = useSite({ mayComplain: true });

interface State {
  readonly pane: PaneName;
  readonly show: (page: Page) => Promise<void>;
}

const states: Readonly<Record<string, State>> = {
  disconnected: { pane: "agent", show: disconnect },
  past: { pane: "editor", show: showPastMoment },
  find: { pane: "frame", show: findInFrame },
  problem: { pane: "frame", show: showProblem },
  "nothing-found": { pane: "wire", show: (page) => page.getByTestId("filter").fill("tool:none") },
  "drop-target": { pane: "editor", show: dragFile },
  recorded: { pane: "wire", show: openRecorded },
  unreadable: { pane: "editor", show: (page) => openTrace(page, "day.jsonl", "not a trace") },
  "faults-on": { pane: "editor", show: addFaults },
  "no-command": { pane: "editor", show: searchForNoCommand },
  "commands-found": { pane: "editor", show: searchForCommands },
  collapsed: { pane: "editor", show: collapsePanes },
};

async function disconnect(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).waitFor();
}

async function showPastMoment(page: Page): Promise<void> {
  await askForChange(page);
  await page.getByTestId("scrubber").fill("6");
  await page.getByText("Viewing event 6").waitFor();
}

async function findInFrame(page: Page): Promise<void> {
  await askForChange(page);
  await openRow(page, "openDiff");
  await page.getByTestId("find").click();
  await page.getByTestId("find-text").fill("file");
  await page.getByTestId("found").getByText(/^1 of/).waitFor();
}

/** Shows an answer with an unknown id. */
async function showProblem(page: Page): Promise<void> {
  await page.getByTestId("faults").click();
  await addFault(page, "wrong-id", "tool:openDiff kind:result");
  await page.keyboard.press("Escape");
  const review = await askForChange(page);
  await review.getByRole("button", { name: "Accept" }).first().click();
  await openRow(page, /1 problem/);
}

async function dragFile(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["{}"], "day.jsonl"));
    window.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await page.getByText("Drop a trace to open it").waitFor();
}

async function openRecorded(page: Page): Promise<void> {
  const raw = '{"jsonrpc":"2.0","method":"selection_changed","params":{"text":"beds"}}';
  const frame = { t: 0, ev: "frame", ch: "c", dir: "ide>agent", raw };
  const lines = [{ idewire: "trace/1" }, frame].map((line) => JSON.stringify(line));
  await openTrace(page, "one.jsonl", lines.join("\n"));
  await page.getByTestId("guide").getByText("recorded trace").waitFor();
}

async function addFaults(page: Page): Promise<void> {
  await page.getByTestId("faults").click();
  await addFault(page, "delay", "dir:out method:tools/call");
  await addFault(page, "wrong-id", "tool:openDiff kind:result");
}

async function searchForNoCommand(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette").fill("water the beds");
}

async function searchForCommands(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette").fill("trace");
}

async function collapsePanes(page: Page): Promise<void> {
  for (const name of ["Width of the editor", "Width of the frame"]) {
    await page.getByRole("separator", { name }).press("Enter");
  }
}

test.each(Object.entries(states))("pictures of a state: %s", async (name, { pane, show }) => {
  const page = await site.connected();
  await show(page);
  await takeAll(page, name, pane, few);
});

test("pictures of the page's own inspector, with an answer", async () => {
  const server = new McpServer({ name: "beds", version: "1", instructions: "Waters the beds." });
  const input = v.object({ bed: v.string(), minutes: v.number() });
  const description = "Waters a bed for some minutes";
  server.tool("water", { description, input }, ({ bed }) => `Watered ${bed}`);
  const listening = await listenMcp(server, { access: "anyone", allowedOrigins: [site.origin] });
  onTestFinished(() => listening.close());
  const page = await site.connected();
  await runCommand(page, "Inspector");
  await takeAll(page, "in-page-form", "editor", few);
  await page.getByTestId("server-url").fill(listening.url);
  await page.getByTestId("server-url").press("Enter");
  await page.locator('[data-testid=server][data-status="open"]').waitFor();
  await page.getByTestId("entry").locator("button.entry").first().click();
  await page.getByTestId("call").click();
  await takeAll(page, "in-page-missing", "editor", few);
  await page.locator("#field-bed").fill("the north bed");
  await page.locator("#field-minutes").fill("5");
  await page.getByTestId("call").click();
  await page.getByTestId("answer").getByText("Watered the north bed").first().waitFor();
  await takeAll(page, "in-page-answer", "editor", few);
  await openRow(page, "tools/call water");
  await page.getByRole("button", { name: /^Actions of frame/ }).click();
  await page.getByRole("menu").waitFor();
  await takeAll(page, "in-page-actions", "wire", few);
  await page.keyboard.press("Escape");
  await openTab(page, "Model");
  await page.locator(".model-view").waitFor();
  await takeAll(page, "in-page-model", "editor", few);
});
