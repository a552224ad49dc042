import { expect } from "vitest";
import { shared } from "../obsidian-host/shared.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { verifies } from "../src/verifies.ts";

const vaultFiles = { "Note.md": "# Note\n\nSome words.\n", "Folder/Other.md": "[[Nowhere]]\n" };

const app = shared({ vaultFiles, open: "Note.md" });

verifies(
  "plugin:3:places",
  "the menus of a folder, of a tab and of a link send their target",
  async () => {
    const host = app();
    const client = await host.agents.raw();
    await host.page.locator(".idewire-status").getByText("raw").waitFor();
    const sent = () =>
      client
        .receivedOf("at_mentioned")
        .map(({ params }) => String((params as { filePath: string }).filePath));
    expect(await host.menus.file("Folder")).toContain("Send to agent");
    await host.menus.choose("Send to agent");
    await until("the folder", () => sent().at(-1) === `${host.vault}/Folder`);
    expect(await host.menus.tab("Note")).toContain("Send to agent");
    await host.menus.choose("Send to agent");
    await until("the tab's note", () => sent().at(-1) === `${host.vault}/Note.md`);
    // As Obsidian opens the menu of a link.
    await host.page.evaluate(`{
      const { Menu } = require("obsidian");
      const menu = new Menu();
      const file = app.vault.getFileByPath("Folder/Other.md");
      app.workspace.trigger("file-menu", menu, file, "link-context-menu");
      menu.showAtPosition({ x: 300, y: 300 });
    }`);
    await host.menus.choose("Send to agent");
    await until("the link's note", () => sent().at(-1) === `${host.vault}/Folder/Other.md`);
  },
);

verifies(
  "plugin:9:cli",
  "the app's own command line shows the status, sends, lists reviews and checks; failures are explained",
  async () => {
    const host = app();
    const client = await host.agents.raw();
    await host.page.locator(".idewire-status").getByText("raw").waitFor();
    expect(await host.cli("idewire:status")).toMatch(/raw can see that Note is open/);
    expect(await host.cli("idewire:send")).toMatch(/Sent Note to raw/);
    expect(await host.cli("idewire:send", { path: "Folder/Other.md", lines: "1-1" })).toContain(
      "Sent Other",
    );
    const mentions = () => client.receivedOf("at_mentioned");
    await until("both", () => mentions().length === 2);
    for (const lines of ["0", "2-1", "x", "1-", "99999999999"]) {
      expect(await host.cli("idewire:send", { lines }), lines).toContain("expected a line");
    }
    for (const path of ["../x.md", "/etc/passwd", "Nope.md", "\0"]) {
      expect(await host.cli("idewire:send", { path }), path).toContain("There is no note");
    }
    expect(mentions()).toHaveLength(2);
    expect(await host.cli("idewire:check")).toContain("Folder/Other.md:1:1 warning: There is no");
    expect(await host.cli("idewire:diff")).toBe("No review is pending.");
    client.propose(`${host.vault}/Note.md`, "New.\n");
    await host.page.locator(".idewire-review").waitFor();
    expect(await host.cli("idewire:diff")).toBe("Note.md\tA change");
  },
);

verifies(
  "plugin:8:hotkeys",
  "no command has a hotkey, each has a name, and the person can give it one",
  async () => {
    const host = app();
    const commands = (await host.page.evaluate(
      `Object.values(app.commands.commands).filter(({ id }) => id.startsWith("idewire:"))`,
    )) as { id: string; name: string; hotkeys?: readonly unknown[] }[];
    expect(commands.length).toBeGreaterThan(15);
    for (const { id, name, hotkeys } of commands) {
      expect(hotkeys ?? [], id).toEqual([]);
      expect(name, id).toMatch(/[A-Z]/);
    }
    await host.commands.bind("pause", ["Mod"], "k");
    await host.page.locator(".cm-content").first().click();
    await host.page.keyboard.press("Control+k");
    await host.notice(/Sharing is paused/);
  },
);
