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
});
