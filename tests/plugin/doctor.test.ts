import { join } from "node:path";
import { describe, expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";
import { ownClipboard } from "./vault-tools-fixture.ts";

const vaultFiles = { "Note.md": "Some words.\n" };

describe("plugin 1: the lock file and the doctor", () => {
  verifies(
    "plugin:8:first-steps",
    "explains the first steps once, and returns for its agent when the window comes back",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md", firstStart: true });
      const lock = await host.agents.lock();
      await host.page.locator(".notice").getByText("Connect an agent to this vault").waitFor();
      expect(await host.page.locator(".idewire-first-steps li").count()).toBe(3);
      await host.screenshot("first-steps");
      const claude = await host.agents.connect();
      expect(await host.quit()).toEqual([]);
      await host.launch();
      await claude.until("connected again", () => claude.state === "ready");
      await host.notice(/was connected before idewire was restarted/);
      expect(await host.notices()).toHaveLength(1);
      let [before, after] = [lock, await host.agents.lock()];
      // Occasionally another program takes the port while the window is closed.
      for (let left = 2; left > 0 && after.port !== before.port; left -= 1) {
        await host.restart();
        [before, after] = [after, await host.agents.lock()];
      }
      expect([after.port, after.authToken]).toEqual([before.port, before.authToken]);
    },
  );

  verifies(
    "plugin:1:linked",
    "the lock file of a vault behind a link has both of its names",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md", linked: true });
      await host.agents.connect();
      const { workspaceFolders } = await host.agents.lock();
      expect(workspaceFolders).toHaveLength(2);
      expect(workspaceFolders[0]).toBe(host.vault);
    },
  );

  verifies(
    ["plugin:1:doctor", "plugin:1:copy"],
    "the doctor shows the published lock file and the connected agents, in a window and on the command line",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md", vaultName: "My & notes" });
      const { port, path } = await host.agents.lock();
      await host.page.locator(".idewire-status").getByText("No agent").waitFor();
      const status = async () => host.cli("idewire:status");
      await expect.poll(status).not.toContain("Starting");
      const output = await status();
      expect(output).toContain("hint: No agent is connected.");
      expect(output).not.toContain("warning:");
      expect(await host.cli("idewire:diff")).toBe("No review is pending.");
      await host.commands.run("connection");
      const panel = host.page.locator(".idewire-connection");
      await panel.getByText(`port ${port}`).waitFor();
      await panel.getByText("No agent is connected").waitFor();
      expect(await panel.locator("code").textContent()).toBe(
        `cd '${host.vault}' && claude --ide --permission-mode default`,
      );
      const copied = await ownClipboard(host);
      await panel.getByRole("button", { name: "Copy" }).click();
      await host.notice(/copied|clipboard/i);
      expect(await copied()).toBe(`cd '${host.vault}' && claude --ide --permission-mode default`);
      await host.screenshot("connection");
      const claude = await host.agents.connect();
      await panel.getByText("Claude Code (process").waitFor();
      await panel.getByText(path).waitFor();
      await panel.getByRole("button", { name: "Reconnect" }).click();
      await claude.until("connected again", () => claude.state === "ready");
      await panel.getByText(`port ${port}`).waitFor();
    },
  );

  verifies(
    "plugin:1:mend",
    "a failed connection shows the reason and the remedy, and is made once that is done",
    async () => {
      const host = await start({ vaultFiles, open: "Note.md", enabled: false });
      host.faults.push({ under: join(host.home, ".claude"), code: "EROFS" });
      await host.enable();
      await host.notice(/Agents cannot connect to this vault/);
      await host.page.locator(".idewire-status").getByText("Not connected").waitFor();
      expect(await host.cli("idewire:status")).toContain("Make that folder writable");
      await host.screenshot("connection-failed", ["light"]);
      host.faults.splice(0);
      await host.commands.run("connection");
      await host.page.getByRole("button", { name: "Reconnect" }).click();
      await host.agents.connect();
      await until("one lock", () => host.agents.locks().length === 1);
    },
  );
});
