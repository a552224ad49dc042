import { describe, expect } from "vitest";
import { shared } from "../obsidian-host/shared.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

describe("plugin 8: the settings", () => {
  const app = shared({
    vaultFiles: { "Note.md": "Some words. #diary\n", "Private/Diary.md": "Dear diary.\n" },
    open: "Note.md",
    settings: { excludedTags: ["old"] },
    viewport: { width: 1100, height: 1500 },
  });

  verifies(
    "plugin:8:settings",
    "show the connection, the share level and the exclusions, and are saved as they change",
    async () => {
      const host = app();
      await host.agents.connect();
      await host.settings.open();
      const { page } = host;
      await page.locator(".idewire-connection").getByText("Claude Code (process").waitFor();
      await host.screenshot("settings");
      const stored = () => host.read(".obsidian/plugins/idewire/data.json");
      await host.settings.turn("Never shared");
      await page.getByRole("button", { name: "Add folder" }).click();
      await page.locator(".suggestion-item").getByText("Private").click();
      await until("the folder", () => /"excludedFolders": \[\s+"Private"/.test(stored()));
      await page.getByRole("button", { name: "Add tag" }).click();
      await page.locator(".prompt-input:focus").waitFor();
      await page.keyboard.type("new/tag");
      await page.locator(".suggestion-item").getByText("new/tag").waitFor();
      await page.keyboard.press("Enter");
      await until("the tag", () => /"new\/tag",\s+"old"/.test(stored()));
      expect(stored()).toContain('"share": "selection"');
    },
  );

  verifies(
    "plugin:8:search",
    "are found by the app's search: each has a name and a line on it, and the words that people use",
    async () => {
      const host = app();
      await host.settings.open();
      const all = (await host.page.evaluate(`(() => {
        const flat = (items) => items.flatMap((item) => [
          ...("items" in item && item.type !== "list" ? flat(item.items) : []),
          ...("name" in item ? [item] : []),
        ]);
        return flat(app.setting.activeTab.getSettingDefinitions()).map(
          ({ name, desc, aliases = [], control }) => ({ name, desc, aliases, key: control?.key }),
        );
      })()`)) as { name: string; desc: string; aliases: string[]; key?: string }[];
      for (const { name, desc } of all) {
        expect(name).toMatch(/^\p{Lu}/u);
        expect(desc, name).toMatch(/^\p{Lu}.*[.]$/u);
      }
      const keys = all.flatMap(({ key }) => key ?? []).sort();
      expect(new Set(keys).size).toBe(keys.length);
      // Folders and tags have lists of their own.
      expect(keys.filter((key) => !key.startsWith("agent-"))).toEqual([
        ...["commentAuthor", "configDirectory", "markSelection", "paused", "respectExcludedFiles"],
        ...["reviewHistoryDays", "reviewLayout", "share", "tellComments", "vaultTools"],
        "vaultToolsChange",
      ]);
      const find = (words: string) =>
        all.filter(({ name, desc, aliases }) =>
          [name, desc, ...aliases].join(" ").toLowerCase().includes(words),
        );
      for (const words of ["claude", "terminal", "doctor", "share", "mcp", "rename", "history"]) {
        expect(find(words), words).not.toEqual([]);
      }
    },
  );
});
