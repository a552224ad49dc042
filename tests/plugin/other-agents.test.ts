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
  const answer = agent.openDiff(join(host.vault, "Note.md"), "two\n");
  await host.notice(/Gemini CLI proposes changes to Note/);
  // It does not support mentions: comments reach it as its active file.
  await page.locator(".idewire-review .cm-merge-b .cm-line", { hasText: "two" }).click();
  await page.getByRole("button", { name: "Comment on the selected lines" }).click();
  await page.getByRole("form", { name: "Line 1" }).getByRole("textbox").fill("Three.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Send 1 comment, reject" }).click();
  await host.notice(
    /Stored in Note\.md\.comments: Gemini CLI cannot be sent a mention; the file is open instead\./,
  );
  expect(await answer).toEqual({ status: "rejected" });
  await expect.poll(() => agent.active?.path).toBe(join(host.vault, "Note.md.comments"));
  await page.locator(".idewire-comment-file", { hasText: "Three." }).waitFor();
  await host.screenshot("comment-file");
});
