import { describe, expect, test } from "vitest";
import { start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";

const text = "# Note\n\nSome words to select, *and* [[Other]].\n\n- one\n- two\n";
const selected = "app.workspace.activeEditor.editor.getSelection()";
const vaultFiles = { "Note.md": text, "Other.md": "Another.\n", "Folder/Deep.md": "[[Note]]\n" };

describe("the app", () => {
  const app = shared({ vaultFiles, open: "Note.md" });

  test("the app has its modes, windows and menus", async () => {
    const host = app();
    await host.pointer.selectText("words");
    await expect.poll(() => host.page.evaluate(selected)).toBe("words");
    await host.switchMode("reading");
    await host.pointer.dragBetween("one", "two");
    await expect.poll(() => host.page.evaluate("getSelection().toString()")).toBe("one\ntwo");
    await host.switchMode("live");
    const popout = await host.popout();
    await host.pointer.selectText("words");
    await expect.poll(() => host.page.evaluate(selected)).toBe("words");
    await expect.poll(() => popout.evaluate("getSelection().toString()")).toBe("words");
    await host.screenshot("host-popout");
    await popout.close();
    await host.open("Other.md", { where: "split" });
    await host.screenshot("host", ["light", "dark", "contrast"]);
    expect(await host.menus.file("Folder")).toEqual(expect.any(Array));
  });

  test("the app writes typed text, and shows changes by others", async () => {
    const host = app();
    // On a slow machine the app might save by itself before the file is read.
    host.faults.push({ under: host.vault, code: "EROFS" });
    await host.select([2, 0]);
    await host.page.keyboard.type("Typed. ");
    expect(host.read("Note.md")).toBe(text);
    host.faults.pop();
    await host.save();
    expect(host.read("Note.md")).toContain("Typed. Some");
    host.write("Note.md", "Written by an agent.\n");
    await expect.poll(() => host.text()).toBe("Written by an agent.\n");
  });

  test("a file that is deleted before its change is read causes no error", async () => {
    const host = app();
    const known = "app.vault.getFileByPath('Fleeting.md') !== null";
    host.write("Fleeting.md", "One\n");
    await expect.poll(() => host.page.evaluate(known)).toBe(true);
    await host.open("Fleeting.md");
    await host.page.evaluate(`(async () => {
      const file = app.workspace.getActiveFile();
      await require("fs").promises.unlink(app.vault.adapter.getFullPath(file.path));
      app.vault.trigger("modify", file);
    })()`);
    await expect.poll(() => host.page.evaluate(known)).toBe(false);
    expect(await host.errors()).toEqual([]);
  });
});

test("open notes are open again after a restart, deferred in background tabs", async () => {
  const host = await start({ vaultFiles, open: "Note.md" });
  await host.open("Other.md", { where: "tab" });
  await host.restart();
  await expect.poll(() => host.drive("openTabs")).toEqual(["Note", "Other"]);
  const deferred = "app.workspace.getLeavesOfType('markdown').map(l => l.isDeferred)";
  await expect.poll(() => host.page.evaluate(deferred)).toEqual([true, false]);
});

test("each API that obsidian.d.ts declares works, or reports its absence", async () => {
  const host = await start({ enabled: false });
  const { hostBoot } = (await host.page.evaluate("({ hostBoot })")) as {
    hostBoot: { declared: Record<string, string[]> };
  };
  expect(Object.keys(hostBoot.declared).length).toBeGreaterThan(80);
  const missing =
    await host.page.evaluate(`Object.entries(hostBoot.declared).flatMap(([name, members]) => {
    const found = require("obsidian")[name];
    if (typeof found === "object") return members.filter((member) => !(member in found));
    if (!(name in found) && found.name === "") return [];
    return members.filter((member) => !(member in found.prototype) && !(member in found)).map((member) => name + "." + member);
  })`);
  expect(missing).toEqual([]);
  await expect(host.page.evaluate("app.fileManager.promptForDeletion()")).rejects.toThrow(
    "not in this host",
  );
});
