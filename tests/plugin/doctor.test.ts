import { statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { until } from "../src/twins/transcript.ts";

const settings = { greeted: true };
const vaultFiles = { "Note.md": "Some words.\n" };

describe("plugin 1: the connection", () => {
  test("is there without any setup, tells the first steps once, and is gone when the window closes", async () => {
    const host = await start({ vaultFiles, open: "Note.md" });
    const lock = await host.agents.lock();
    expect(lock).toMatchObject({
      ideName: "Obsidian",
      workspaceFolders: [host.vault],
      transport: "ws",
      generator: "idewire",
      pid: host.pid,
    });
    expect(statSync(lock.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(lock.path)).mode & 0o777).toBe(0o700);
    await host.page.locator(".notice").getByText("Connect an agent to this vault").waitFor();
    await host.screenshot("first-steps");
    expect(host.times.onloadMs).toBeLessThan(100);
    const claude = await host.agents.connect();
    expect(await host.quit()).toEqual([]);
    await claude.until("lost", () => claude.state !== "connected");
    await host.launch();
    await claude.until("connected again", () => claude.state === "connected", 15_000);
    expect(await host.notices()).toEqual([]);
    const again = await host.agents.lock();
    expect([again.port, again.authToken]).toEqual([lock.port, lock.authToken]);
  });

  test("of two vaults each has its own, and a vault behind a link has both of its names", async () => {
    const one = await start({ vaultFiles, open: "Note.md", settings });
    const two = await start({
      vaultFiles,
      open: "Note.md",
      settings,
      home: one.home,
      linked: true,
    });
    const first = await one.agents.connect();
    const second = await two.agents.connect();
    const [lock, linked] = [await one.agents.lock(), await two.agents.lock()];
    expect(lock.port).not.toBe(linked.port);
    expect(linked.workspaceFolders).toHaveLength(2);
    expect(linked.workspaceFolders[0]).toBe(two.vault);
    await two.disable();
    expect(two.agents.locks()).toEqual([]);
    expect(one.agents.locks()).toHaveLength(1);
    expect([first.state, second.state]).toEqual([
      "connected",
      expect.not.stringMatching("^connected"),
    ]);
  });

  test("is looked at by a doctor, in settings, in a window and on the command line", async () => {
    const host = await start({ vaultFiles, open: "Note.md", settings, vaultName: "My & notes" });
    const { port, path } = await host.agents.lock();
    expect(await host.cli("idewire:status")).toContain("hint: No agent is connected.");
    expect(await host.cli("idewire:diff")).toBe("No change waits for a review.");
    await host.commands.run("connection");
    const panel = host.page.locator(".idewire-connection");
    await panel.getByText(`port ${port}`).waitFor();
    await panel.getByText("No agent is connected").waitFor();
    expect(await panel.locator("code").textContent()).toBe(`cd '${host.vault}' && claude --ide`);
    await host.screenshot("connection");
    const claude = await host.agents.connect();
    await panel.getByText("Claude Code (process").waitFor();
    await panel.getByText(path).waitFor();
    await panel.getByRole("button", { name: "Reconnect" }).click();
    await claude.until("connected again", () => claude.state === "connected", 15_000);
    await panel.getByText(`port ${port}`).waitFor();
  });

  test("that cannot be made says why and how to mend it, and is made when it is mended", async () => {
    const host = await start({
      vaultFiles,
      open: "Note.md",
      settings,
      faults: [{ under: "home", code: "EROFS" }],
    });
    await host.notice(/Agents cannot connect to this vault/);
    await host.page.locator(".idewire-status").getByText("Not connected").waitFor();
    expect(await host.cli("idewire:status")).toContain("Make that folder writable");
    await host.screenshot("connection-failed", ["light"]);
    host.faults.splice(0);
    await host.commands.run("connection");
    await host.page.getByRole("button", { name: "Reconnect" }).click();
    await host.agents.connect();
    await until("one lock", () => host.agents.locks().length === 1);
  });
});
