import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../src/reference-clients/serve-context.ts";
import { connectClient, openFile, openFixture, openPage, untilLive } from "./live-fixture.ts";
import { useSite } from "./site.ts";

const site = useSite({ mayComplain: true });

test("for agents elsewhere the start names the folder and the lock file as they are there", async () => {
  const { place, link, lockFile } = await openFixture(["--path-map", ".=/workspace"]);
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const start = page.getByTestId("start");
  await start
    .getByRole("heading", { name: "Start an agent where this folder is /workspace" })
    .waitFor();
  await start
    .getByText("cd /workspace && claude --ide --permission-mode default", { exact: true })
    .waitFor();
  await start.getByText(lockFile).waitFor();
  await start.getByText("idewire doctor", { exact: true }).waitFor();
  expect(await page.getByText(`cd ${place.folder}`).count()).toBe(0);
});

test("the start names only agents that would find the folder, with what they need for it", async () => {
  const { place, link } = await openFixture();
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const start = page.getByTestId("start");
  const directory = String(place.env.CLAUDE_CONFIG_DIR);
  await start
    .getByText(`&& CLAUDE_CONFIG_DIR='${directory}' claude --ide --permission-mode default`)
    .waitFor();
  expect(await start.getByText("opencode", { exact: true }).count()).toBe(0);
});

/**
 * The first minute of a person who has just typed `idewire serve --web`: each action, and what the screen
 * shows after it, in order.
 */
test("a newcomer's first minute: each step shows what has happened, and what to do next", async () => {
  const { place, link } = await openFixture([], openWorkspace("home"));
  const page = await openPage(site, link, { untraced: true });
  await untilLive(page);
  const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const agents = page.getByTestId("agents").getByRole("listitem");

  // The page of the folder: its files, how to start an agent, and that an agent would find it.
  await page.getByRole("heading", { level: 1, name: basename(place.folder) }).waitFor();
  await page.getByRole("treeitem", { name: "notes.md" }).waitFor();
  await sees(/ && claude --ide --permission-mode default$/);
  await sees(/ && opencode$/);
  await sees("What will happen");
  await page.locator("[data-testid=verdict]:is([data-status=ok], [data-status=warning])").waitFor();
  await sees("No agent is connected");
  await sees("none yet");

  // `claude --ide --permission-mode default` in a terminal: the agent is listed by its name.
  const agent = await connectClient(place);
  await agents.getByText("Claude Code").waitFor();
  await sees(/knows what you select/);

  // Open a file: its selection reaches the agent.
  await openFile(page, "notes.md");
  await page.getByLabel("Text of notes.md").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await agent.until("a selection", () => agent.badge === "⧉ 1 line selected");

  // The agent asks before it changes the file: the page shows who, what, and the keys to answer.
  const edit = agent.edit(join(place.folder, "notes.md"), "# Notes\n\nWater the beans.\n");
  const review = page.getByTestId("review");
  // The text has the focus, so the diff waits behind a button above it.
  await page.getByRole("button", { name: "Back to the review" }).click();
  await review.getByLabel("Proposed text of notes.md").waitFor();
  await sees("proposes to change");
  await sees("The agent waits for your answer");
  await agents.getByText("waits for you: 1 diff").waitFor();
  await review.getByText("Alt+A").waitFor();
  await review.getByText("Alt+R").waitFor();
  await page.keyboard.press("Alt+a");
  await review.waitFor({ state: "detached" });
  expect((await edit.result).written).toBe("# Notes\n\nWater the beans.\n");

  // The file is written, and nothing is pending.
  await page.getByLabel("Text of notes.md").getByText("Water the beans.").waitFor();
  await agents.getByText("connected", { exact: true }).waitFor();
});
