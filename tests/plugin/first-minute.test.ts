import { expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { Reviewer } from "./review-fixture.ts";

const note = "# Garden\n\nWater the tomatoes.\n";

/**
 * The first minute of a person who has just enabled the plugin: each action, and what the screen shows
 * after it, in order.
 */
test("a newcomer's first minute: each step shows what has happened, and what to do next", async () => {
  const host = await start({
    vaultFiles: { "Garden.md": note },
    open: "Garden.md",
    firstStart: true,
  });
  const { page } = host;
  const status = page.locator(".idewire-status");
  const waiting = page.locator(".idewire-waiting");
  const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();

  // The plugin is enabled: the screen explains how to connect an agent, what it receives and when it asks.
  await sees("Connect an agent to this vault");
  const steps = page.locator(".idewire-first-steps li");
  expect(await steps.count()).toBe(3);
  expect((await steps.allInnerTexts()).join("\n")).toMatch(/claude|terminal/i);
  await status.getByText("No agent").waitFor();

  // `claude` in the vault's folder finds the editor by itself.
  const agent = await host.agents.connect();
  await status.getByText("Claude Code").waitFor();
  await steps.first().waitFor({ state: "detached" });

  // The selection reaches the agent.
  await host.select([2, 0], [2, 18]);
  await agent.until("a selection", () => agent.badge === "⧉ 1 line selected");

  // The agent asks before it changes a note.
  const edit = agent.edit(
    `${host.vault}/Garden.md`,
    note.replace("tomatoes", "tomatoes and beans"),
  );
  const person = new Reviewer(page);
  await person.untilName("Garden.md");
  await sees("Accept file");
  await sees("Reject file");
  await waiting.getByText("1 review").waitFor();
  await person.untilArmed();
  await person.press("Accept file");
  await person.untilClosed();
  expect((await edit.result).written).toBe(note.replace("tomatoes", "tomatoes and beans"));
  await expect.poll(() => host.read("Garden.md")).toContain("tomatoes and beans");

  // The review is over, and its history is available.
  await waiting.waitFor({ state: "hidden" });
  await host.commands.run("review-history");
  await page.locator(".idewire-history-item", { hasText: "Garden.md" }).waitFor();
});
