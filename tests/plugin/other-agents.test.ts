import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { GeminiClient, geminiProfile } from "../src/reference-clients/gemini-client.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

test("Gemini CLI finds the vault once it is turned on, and its changes are reviewed under its name", async () => {
  const TMPDIR = temporaryFolder("idewire-tmp-");
  const host = await start({
    vaultFiles: { "Note.md": "one\n" },
    open: "Note.md",
    env: { TMPDIR },
    viewport: { width: 1100, height: 1500 },
  });
  await host.agents.lock();
  const env = { HOME: host.home, TMPDIR };
  const agent = new GeminiClient(geminiProfile, { env, cwd: host.vault });
  onTestFinished(() => agent.exit());
  expect(await agent.enable()).toBe(false);
  await host.settings.open("Other agents");
  const { page } = host;
  const row = page.locator(".setting-item").filter({ hasText: "Gemini CLI" }).first();
  await row.getByText("In it, type /ide enable once.").waitFor();
  await row.locator(".checkbox-container").click();
  await host.screenshot("settings-agents");
  await expect.poll(() => agent.enable()).toBe(true);
  await page.keyboard.press("Escape");
  void agent.openDiff(join(host.vault, "Note.md"), "two\n").catch(() => undefined);
  await host.notice(/Gemini CLI proposes changes to Note/);
});
