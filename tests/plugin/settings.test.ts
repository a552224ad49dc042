import { describe, expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { until } from "../src/twins/transcript.ts";
import { verifies } from "../src/verifies.ts";

describe("plugin 8: the settings", () => {
  verifies(
    "plugin:8:settings",
    "show the connection, what is shared and what never is, and are saved as they change",
    async () => {
      const host = await start({
        vaultFiles: { "Note.md": "Some words. #diary\n", "Private/Diary.md": "Dear diary.\n" },
        open: "Note.md",
        settings: { greeted: true, excludedTags: ["old"] },
        viewport: { width: 1100, height: 1500 },
      });
      await host.agents.connect();
      await host.settings.open();
      const { page } = host;
      await page.locator(".idewire-connection").getByText("Claude Code").waitFor();
      await host.screenshot("settings");
      const stored = () => host.read(".obsidian/plugins/idewire/data.json");
      await page.getByRole("button", { name: "Add folder" }).click();
      await page.locator(".suggestion-item").getByText("Private").click();
      await until("the folder", () => /"excludedFolders": \[\s+"Private"/.test(stored()));
      await page.getByRole("button", { name: "Add tag" }).click();
      await page.keyboard.type("new/tag");
      await page.locator(".suggestion-item").getByText("new/tag").waitFor();
      await page.keyboard.press("Enter");
      await until("the tag", () => /"new\/tag",\s+"old"/.test(stored()));
      expect(stored()).toContain('"share": "selection"');
    },
  );
});
