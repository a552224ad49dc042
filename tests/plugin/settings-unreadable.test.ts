import { expect } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";

const folder = ".obsidian/plugins/idewire";

verifies(
  "plugin:8:settings",
  "settings that cannot be read share nothing and are kept aside, until the person chooses again",
  async () => {
    const cutOff = '{\n  "share": "all",\n  "excludedFolders": [\n    "Diary"';
    const host = await start({
      vaultFiles: { "Open.md": "Words for everyone.\n", [`${folder}/data.json`]: cutOff },
      firstStart: true,
      open: "Open.md",
    });
    await host.notice(/settings cannot be read. Nothing is shared.*data\.unreadable\.json/s);
    const agent = await host.agents.raw();
    await host.pointer.selectText("everyone");
    const answer = JSON.stringify(await agent.callTool("getCurrentSelection", {}));
    expect(answer).not.toContain("everyone");
    expect(host.read(`${folder}/data.json`)).toBe(cutOff);
    expect(host.read(`${folder}/data.unreadable.json`)).toBe(cutOff);

    await host.page.locator(".idewire-status").click();
    await host.menus.choose("Name of the open note");
    await expect.poll(() => host.read(`${folder}/data.json`)).toContain('"share": "path"');
    expect(host.read(`${folder}/data.unreadable.json`)).toBe(cutOff);
  },
);
