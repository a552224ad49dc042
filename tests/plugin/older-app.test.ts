import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const manifest = new URL("../../packages/obsidian-plugin/manifest.json", import.meta.url);
const { minAppVersion } = JSON.parse(readFileSync(manifest, "utf8")) as { minAppVersion: string };

describe("in the oldest app that the plugin promises", () => {
  verifies(
    "plugin:8:settings",
    "agents connect, and the settings are drawn, saved and redrawn without the app's help",
    async () => {
      const host = await start({
        vaultFiles: { "Note.md": "Words.\n", "Private/A.md": "a\n" },
        open: "Note.md",
        appVersion: minAppVersion,
      });
      const { page } = host;
      await host.agents.connect();
      await host.settings.open();
      const row = (name: string) => page.locator(".setting-item", { hasText: name }).last();
      const stored = () => host.read(".obsidian/plugins/idewire/data.json");
      await page.locator(".idewire-connection").getByText("Claude Code (process").waitFor();
      await row("Share with agents").locator("select").selectOption("all");
      await until("the level", () => stored().includes('"share": "all"'));
      await page.locator("summary").getByText("Advanced").click();
      await row("Highlight the shared selection").locator(".checkbox-container").click();
      await until("the toggle", () => stored().includes('"markSelection": false'));
      await page.locator("summary").getByText("Never shared").click();
      await page.getByRole("button", { name: "Add folder" }).click();
      await page.locator(".suggestion-item").getByText("Private").click();
      await until("the folder", () => /"excludedFolders": \[\s+"Private"/.test(stored()));
      await row("Private").locator(".clickable-icon").click();
      await until("no folder", () => stored().includes('"excludedFolders": []'));
      await page.getByText("No folder is excluded.").waitFor();
      await host.screenshot("settings-older", ["light"]);
      await host.settings.close();
      await host.disable();
      expect(await host.leaks()).toEqual({});
    },
  );
});
