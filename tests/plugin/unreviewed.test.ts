import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";

describe("a note that was written without a question is reported as unreviewed", () => {
  test("in a mode that does not ask, and not when it was reviewed in the agent", async () => {
    const host = await start({ vaultFiles: { "A.md": "a\n", "B.md": "b\n" }, open: "A.md" });
    const agent = await host.agents.connect();
    const edit = agent.edit(join(host.vault, "B.md"), "reviewed\n");
    await host.page.waitForSelector(".idewire-review .cm-editor");
    edit.answerInTerminal("accept");
    expect((await edit.result).written).toBe("reviewed\n");
    await agent.prompt("next");
    agent.permissionMode = "acceptEdits";
    await agent.edit(join(host.vault, "A.md"), "changed\n").result;
    const output = await host.notice(/Written without a review/);
    expect(output).toContain("A.md");
    expect(output).not.toContain("B.md");
    expect(output).toContain("Shift+Tab");
    expect(agent.violations).toEqual([]);
  });

  test("by a shell, whether or not the agent requests diagnostics; not by the app", async () => {
    const vaultFiles = { "A.md": "a\n", "Own.md": "own\n" };
    const host = await start({ vaultFiles, open: "Own.md" });
    const agent = await host.agents.connect();
    await host.page.keyboard.insertText("typed ");
    await host.save();
    execFileSync("sh", ["-c", `echo more >> '${join(host.vault, "A.md")}'`]);
    const output = await host.notice(/Written without a review/);
    expect(output).toContain("A.md, by Claude Code or another program.");
    expect(output).not.toContain("Own.md");
    expect(agent.violations).toEqual([]);
  });
});
