import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { CopilotClient } from "../src/reference-clients/copilot-client.ts";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { copiedBy } from "./actions.ts";
import { connectClient, openFile, openFixture, openPage, untilLive } from "./live-fixture.ts";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

/** Opens the page of a folder as on a first visit. */
async function openFirst() {
  const fixture = await openFixture([], openWorkspace("home"));
  const page = await openPage(site, fixture.link, { untraced: true });
  await untilLive(page);
  return { ...fixture, page };
}

async function widthOf(page: Page, pane: string): Promise<number> {
  return (await page.locator(`[data-pane=${pane}]`).boundingBox())?.width ?? 0;
}

test("the page of a folder is named after it, and its text has most of the window", async () => {
  const { page, place } = await openFirst();
  const name = basename(place.folder);
  expect(await page.title()).toBe(`${name} - idewire`);
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await openFile(page, "notes.md");
  expect(await widthOf(page, "editor")).toBeGreaterThan(1440 / 2);
  expect(await page.getByText("playground").count()).toBe(0);
});

test("the trace is closed at first, opens beside the editor, and is restored after a reload", async () => {
  const { page } = await openFirst();
  const trace = page.getByTestId("trace");
  const wire = page.locator("[data-pane=wire]");
  expect(await wire.count()).toBe(0);
  expect(await trace.getAttribute("aria-expanded")).toBe("false");
  await trace.click();
  await wire.waitFor();
  await page.reload();
  await wire.waitFor();
  await trace.click();
  await wire.waitFor({ state: "detached" });
  await page.reload();
  await untilLive(page);
  expect(await wire.count()).toBe(0);
  // A key that leads to the frames opens the trace.
  await page.keyboard.press("/");
  await page.getByTestId("filter").and(page.locator(":focus")).waitFor();
});

test("a start without agents shows how to start each one, what happens next and the findings of the doctor", async () => {
  const { page, place } = await openFirst();
  const start = page.getByTestId("start");
  for (const command of ["claude --ide --permission-mode default", "opencode"]) {
    const line = `cd '${place.folder}' && ${command}`;
    await start.getByText(line, { exact: true }).waitFor();
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copy = start.getByRole("button", { name: /claude --ide --permission-mode default$/ });
  expect(await copiedBy(page, () => copy.click())).toBe(
    `cd '${place.folder}' && claude --ide --permission-mode default`,
  );
  await start.getByText("Before it changes a file").waitFor();
  const verdict = page.locator("[data-testid=verdict]:is([data-status=ok], [data-status=warning])");
  await verdict.getByText(/^Connection doctor: (All \d+ steps passed|No step failed)/).waitFor();
});

test("agents are listed by name, state, mode and session, each with its pending diffs", async () => {
  const { page, place } = await openFirst();
  const client = await connectClient(place);
  const agent = page.getByTestId("agents").getByRole("listitem");
  await agent.getByText("Claude Code").waitFor();
  await agent.getByText("connected", { exact: true }).waitFor();
  await agent.getByText("not known before its first change").waitFor();
  await agent.getByText(/^c\d+, process \d+$/).waitFor();
  const edit = client.edit(join(place.folder, "notes.md"), "one\n");
  await agent.getByText("waits for you: 1 diff").waitFor();
  await agent.getByText("asks for a review").waitFor();
  await page.getByTestId("review").getByRole("button", { name: "Accept" }).first().click();
  await edit.result;
  await agent.getByText("connected", { exact: true }).waitFor();
  client.permissionMode = "acceptEdits";
  await client.edit(join(place.folder, "notes.md"), "two\n").result;
  await agent.getByText("writes without a review").waitFor();
  await client.exit();
  await agent.waitFor({ state: "detached" });
  await page.getByTestId("start").waitFor({ state: "attached" });
});

test("the title that Copilot CLI gives its session is listed", async () => {
  const { page, place } = await openFirst();
  const copilot = new CopilotClient({ env: place.env, cwd: place.folder });
  onTestFinished(() => copilot.exit());
  await copilot.start();
  const agent = page.getByTestId("agents").getByRole("listitem");
  await agent.getByText("Copilot CLI").waitFor();
  await copilot.call("update_session_name", { name: "Water the beans" });
  await agent.getByText("Water the beans").waitFor();
});

test("a page without a link shows one sentence and the command, without controls that have no effect", async () => {
  const { origin } = await openFixture();
  const page = await openPage(site, origin);
  await page.getByText("This tab needs a link of its own.").waitFor();
  expect(await page.getByRole("button").count()).toBe(1);
  await page.getByRole("button", { name: "Copy" }).waitFor();
  expect(await page.locator("[data-pane]").count()).toBe(0);
  for (const name of ["light", "dark", "phone"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
});

test("axe finds nothing, and nothing overflows, at the start, with the trace and with many agents, in every look", async () => {
  const { page, place } = await openFirst();
  await page.locator("[data-testid=verdict]:is([data-status=ok], [data-status=warning])").waitFor();
  for (const name of ["light", "dark", "narrow, light", "phone, dark"] as const) {
    await lookAs(page, looks[name]);
    await expectGoodLook(page, name);
  }
  await lookAs(page, looks.narrow);
  await page.getByTestId("trace").click();
  await page.locator("[data-pane=wire]").waitFor();
  await expectGoodLook(page, "with the trace");
  for (let count = 0; count < 4; count += 1) await connectClient(place);
  await page.getByTestId("session").getByText("4 connected").waitFor();
  const agents = page.getByRole("list", { name: "Connected agents" });
  const hidden = () => agents.evaluate((list) => list.scrollHeight - list.clientHeight);
  await expect.poll(hidden).toBeGreaterThan(0);
  await expectGoodLook(page, "with many agents", ".agents-pane");
});

test("a simulation begins with its first frame chosen", async () => {
  const page = await site.connected();
  await page.locator(".wire-row.chosen").getByText("initialize").waitFor();
  await page.getByTestId("frame-view").locator(".sentence").waitFor();
});

test("a question about a file that changed on disk stays while the page reports something else", async () => {
  const { page, place } = await openFirst();
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.type("Mine.");
  await page.getByRole("img", { name: "unsaved" }).waitFor();
  writeFileSync(join(place.folder, "notes.md"), "Theirs.\n");
  const question = page.getByTestId("stale").getByText("changed on disk");
  await question.waitFor();
  await page.getByRole("button", { name: "Mention file" }).click();
  await page.getByTestId("notice").waitFor();
  expect(await question.count()).toBe(1);
});
