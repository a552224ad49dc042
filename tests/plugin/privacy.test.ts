import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { createTestVault } from "../obsidian-host/node/test-vault.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";
import { connect as connectTools, type } from "./vault-tools-fixture.ts";

const vaultFiles = {
  "Open.md": "Words for everyone.\n",
  "Diary/Today.md": "Dear diary.\n",
  "Tagged.md": "Text #Secret/plan here.\n",
  "Said.md": "---\nagent: false\n---\nWords.\n",
  "Spelled.md": '---\nAGENT: "No"\n---\nWords.\n',
  "Archive/Old.md": "Old words.\n",
};

/** The settings on disk; they may be read while they are written. */
const stored = (host: ObsidianHost) => host.read(".obsidian/plugins/idewire/data.json");

describe("plugin 7: privacy", () => {
  verifies(
    "plugin:7:excluded",
    "a closed note whose properties cannot be parsed is excluded if they may say so, and only then",
    async () => {
      const broken = {
        "Broken.md": "---\nagent: false\ntags: [a\n---\nWords.\n",
        "Other.md": "---\ntags: [a\n---\nWords.\n",
      };
      const host = await start({ vaultFiles: { ...vaultFiles, ...broken }, open: "Open.md" });
      await host.agents.connect();
      const send = (path: string) => host.cli("idewire:send", { path });
      await expect.poll(() => send("Other.md")).toContain("Sent");
      expect(await send("Broken.md")).toContain("not valid YAML and may contain agent: false");
      host.write("Broken.md", "---\ntags: [a\n---\nWords.\n");
      await expect.poll(() => send("Broken.md")).toContain("Sent");
    },
  );

  verifies(
    "plugin:7:excluded",
    "an excluded note, by each of the ways, is never sent, and clears earlier state",
    async () => {
      const host = await start({
        vaultFiles,
        open: "Open.md",
        settings: { excludedFolders: ["Diary"], excludedTags: ["secret"] },
        appConfig: { userIgnoreFilters: ["Archive/"] },
      });
      const claude = await host.agents.connect();
      await host.pointer.selectText("everyone");
      await claude.until("the selection", () => claude.badge?.includes("1 line"));
      const status = host.page.locator(".idewire-status");
      for (const path of [
        "Diary/Today.md",
        "Tagged.md",
        "Said.md",
        "Spelled.md",
        "Archive/Old.md",
      ]) {
        await host.open(path);
        await claude.until(`nothing of ${path}`, () => claude.badge === undefined);
        await status.getByText("Not shared").waitFor();
        await host.open("Open.md");
        await claude.until("the open note", () => claude.badge !== undefined);
      }
      await host.screenshot("status-shared", ["light"]);
      expect(JSON.stringify(claude.transcript.entries)).not.toMatch(
        /Diary|Tagged|Said|Spelled|Archive/,
      );
      // A later version of the app may lack this method.
      await host.page.evaluate("void (app.metadataCache.isUserIgnored = undefined)");
      await host.open("Diary/Today.md");
      await status.getByText("Not shared").waitFor();
      await host.open("Open.md");
      const label = () => status.getAttribute("aria-label");
      await expect.poll(label).toContain("Obsidian does not report");
      expect(claude.badge).toBeUndefined();
    },
  );

  verifies(
    "plugin:7:excluded",
    "the excluded notes are recorded by their paths for idewire run, as they change",
    async () => {
      const host = await start({
        vaultFiles,
        settings: { excludedFolders: ["Diary"], excludedTags: ["secret"] },
        appConfig: { userIgnoreFilters: ["Archive/"] },
      });
      await host.agents.lock();
      const state = join(host.home, ".local/state/idewire");
      const recorded = () => {
        const names = readdirSync(state).filter((name) => name.endsWith(".json"));
        const records = names.map((name) => JSON.parse(readFileSync(join(state, name), "utf8")));
        return records.flatMap(({ exclude }) => exclude ?? []);
      };
      const notes = ["/Archive/Old.md", "/Said.md", "/Spelled.md", "/Tagged.md"];
      await expect.poll(recorded).toEqual(["/Diary/**", ...notes]);
      host.write("Said.md", "Words.\n");
      host.write("Z.md", "A #secret.\n");
      const now = notes.filter((name) => name !== "/Said.md");
      await expect.poll(recorded).toEqual(["/Diary/**", ...now, "/Z.md"]);
    },
  );

  verifies(
    "plugin:7:excluded-late",
    "a note that the person excludes while it is open is withdrawn from the last key on, saved or not",
    async () => {
      const host = await start({
        vaultFiles,
        open: "Open.md",
        settings: { share: "all", vaultTools: true, excludedTags: ["secret"] },
      });
      const claude = await host.agents.connect();
      const agent = await host.agents.raw();
      const tools = await connectTools(host);
      const uri = `file://${host.vault}/Open.md`;
      const answers = async () => [
        await agent.callTool("getCurrentSelection", {}),
        await agent.callTool("getDiagnostics", { uri }),
        await type(tools, "describe_note", { path: "Open.md" }),
      ];
      await host.pointer.selectText("everyone");
      await claude.until("the selection", () => claude.badge?.includes("1 line"));
      // The typed text never reaches the disk.
      host.faults.push({ under: host.vault, code: "EROFS" });
      await host.select([0, 0]);
      await host.page.keyboard.insertText("[[Nowhere]] ");
      await expect.poll(async () => JSON.stringify(await answers())).toContain("Nowhere");
      const known = JSON.stringify(await answers());
      await host.page.keyboard.insertText("#Secret/plan ");
      await claude.until("nothing", () => claude.badge === undefined);
      const kept = JSON.stringify(await answers());
      expect(kept).not.toMatch(/Nowhere|everyone/);
      expect(kept).toContain("There is no file");
      for (const _ of "#Secret/plan ") await host.page.keyboard.press("Backspace");
      await claude.until("the open note", () => claude.badge !== undefined);
      await expect.poll(async () => JSON.stringify(await answers())).toBe(known);
      await host.select([0, 0]);
      await host.page.keyboard.insertText("---\nagent: false\n---\n");
      await claude.until("nothing", () => claude.badge === undefined);
      await expect.poll(async () => JSON.stringify(await answers())).toBe(kept);
      expect(host.read("Open.md")).toBe(vaultFiles["Open.md"]);
      expect(claude.violations).toEqual([]);
      // Accepts the errors of the app's own attempts to save.
      await host.errors();
    },
  );

  verifies(
    "plugin:7:excluded-alias",
    "a link inside the vault to an excluded note is excluded too, also one created later",
    async () => {
      const testVault = createTestVault({ vaultFiles });
      onTestFinished(() => testVault.remove());
      symlinkSync(join(testVault.vault, "Diary"), join(testVault.vault, "Public"));
      const host = await start({
        sameAs: testVault,
        open: "Open.md",
        settings: { excludedFolders: ["Diary"] },
      });
      const claude = await host.agents.connect();
      await claude.until("the open note", () => claude.badge !== undefined);
      const status = host.page.locator(".idewire-status");
      await host.open("Public/Today.md");
      await status.getByText("Not shared").waitFor();
      await claude.until("nothing", () => claude.badge === undefined);
      await host.open("Open.md");
      await claude.until("the open note", () => claude.badge !== undefined);
      symlinkSync(join(testVault.vault, "Diary/Today.md"), join(testVault.vault, "Alias.md"));
      await host.page.waitForFunction("app.vault.getFileByPath('Alias.md') !== null");
      await host.open("Alias.md");
      await status.getByText("Not shared").waitFor();
      await claude.until("nothing", () => claude.badge === undefined);
      expect(JSON.stringify(claude.transcript.entries)).not.toMatch(/Public|Dear diary/);
    },
  );

  verifies(
    "plugin:7:status-bar",
    "the status bar shows the connected agents and the share level, its menu switches sharing, and the choice stays",
    async () => {
      const host = await start({ vaultFiles, open: "Open.md" });
      const { page } = host;
      const status = page.locator(".idewire-status");
      await status.getByText("No agent").waitFor();
      const claude = await host.agents.connect();
      await status.getByText("Claude Code").waitFor();
      await host.pointer.selectText("everyone");
      await claude.until("the selection", () => claude.badge?.includes("1 line"));
      await expect
        .poll(() => status.getAttribute("aria-label"))
        .toContain("can see the selected text in Open");
      await status.click();
      await host.screenshot("status-menu");
      await host.menus.choose("Pause sharing");
      await status.getByText("Paused").waitFor();
      await claude.until("nothing", () => claude.badge === undefined);
      await status.focus();
      await page.keyboard.press("Enter");
      await host.menus.choose("Name of the open note");
      await claude.until("the name", () => claude.badge === "⧉ In Open.md");
      await until("saved", () => stored(host).includes('"share": "path"'));
      await host.commands.run("pause");
      await host.notice(/Sharing is paused/);
    },
  );

  verifies("plugin:7:last-shared", "the last shared content can be read verbatim", async () => {
    const host = await start({ vaultFiles, open: "Open.md" });
    const claude = await host.agents.connect();
    await host.pointer.selectText("everyone");
    await claude.until("the selection", () => claude.badge?.includes("1 line"));
    await host.commands.run("last-shared");
    const entries = host.page.locator(".idewire-shared-entry", {
      hasText: "received the selected",
    });
    const entry = entries.first();
    expect(await entry.locator("> pre").textContent()).toBe("everyone");
    expect(await entry.locator("> summary").textContent()).toContain(
      "Claude Code received the selected text in Open.md, line 1",
    );
    await host.screenshot("last-shared");
  });
});
