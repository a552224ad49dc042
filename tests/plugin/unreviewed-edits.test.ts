import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ObsidianHost } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { openFixture } from "./review-fixture.ts";

const note = "\uFEFF# Plan\r\n\r\nWe meet in the park.\r\n";
const changed = "# Plan\n\nWe meet in the garden.\n";

describe("an edit without a review", () => {
  verifies(
    "plugin:4:unreviewed",
    "is listed with its agent and diff, and undone to the byte in one step, or not at all",
    async () => {
      const vaultFiles = { "A.md": note, "B.md": "b\n", "Own.md": "own\n" };
      const { host, agent } = await openFixture({ vaultFiles, open: "Own.md" });
      agent.permissionMode = "acceptEdits";
      await host.page.keyboard.insertText("typed ");
      await host.save();
      await agent.edit(join(host.vault, "A.md"), changed).result;
      await agent.edit(join(host.vault, "New.md"), "new\n").result;
      await host.notice(/Written without a review/);
      await host.page.locator(".notice").getByRole("button", { name: "Show the edits" }).click();
      const items = host.page.locator(".idewire-history-item");
      await expect
        .poll(() => items.locator(".idewire-history-name").allInnerTexts())
        .toEqual(["New.md", "A.md"]);
      await expect.poll(() => items.last().textContent()).toMatch(/Written.* · Claude Code · /);
      await openEdit(host, "A.md");
      await host.page.locator(".idewire-review .cm-changedText", { hasText: "garden" }).waitFor();
      await host.page.getByRole("button", { name: "Undo this edit" }).click();
      await host.notice(/The edit of A\.md was undone/);
      expect(readFileSync(join(host.vault, "A.md"), "utf8")).toBe(note);

      await host.commands.run("unreviewed-edits");
      await openEdit(host, "New.md");
      host.write("New.md", "new, and more\n");
      await press(host, "Undo this edit");
      await host.notice(/New\.md has changed since this edit and was not restored/);
      expect(host.read("New.md")).toBe("new, and more\n");
      host.write("New.md", "new\n");
      await expect.poll(() => host.page.evaluate(SIZE)).toBe(4);
      await press(host, "Undo this edit");
      await host.notice(/The edit of New\.md was undone/);
      expect(existsSync(join(host.vault, "New.md"))).toBe(false);
      expect(agent.violations).toEqual([]);
    },
  );

  verifies(
    "plugin:4:unreviewed",
    "is kept or undone hunk by hunk, in the history of its open note, and a whole turn at once",
    async () => {
      const vaultFiles = { "A.md": "1\n2\n3\n4\n5\n", "B.md": "b\n", "Own.md": "own\n" };
      const { host, agent } = await openFixture({ vaultFiles, open: "A.md" });
      await agent.prompt("count");
      agent.permissionMode = "acceptEdits";
      await agent.edit(join(host.vault, "A.md"), "1\ntwo\n3\nfour\n5\n").result;
      await expect.poll(() => host.text()).toBe("1\ntwo\n3\nfour\n5\n");
      await agent.edit(join(host.vault, "B.md"), "bb\n").result;
      await host.notice(/Written without a review/);
      await host.commands.run("unreviewed-edits");
      await openEdit(host, "A.md");
      await press(host, "Undo hunk 2 of 2, line 4");
      await expect.poll(() => host.read("A.md")).toBe("1\ntwo\n3\n4\n5\n");
      await press(host, "Keep hunk 1 of 1, line 2");
      await host.commands.run("unreviewed-edits");
      await host.page.locator(".idewire-history-item", { hasText: "Undone in part" }).waitFor();
      await openEdit(host, "B.md");
      await press(host, "Undo everything of this turn");
      await host.page.getByText("since your last prompt: B.md").waitFor();
      await press(host, "Undo them");
      await host.notice(/Undone in 1 note/);
      expect(host.read("B.md")).toBe("b\n");
    },
  );

  verifies(
    "plugin:4:unreviewed",
    "by another program is listed with the connected agents; reviewed and excluded ones are not",
    async () => {
      const hidden = "---\nagent: false\n---\nold\n";
      const vaultFiles = { "A.md": "a\n", "B.md": "b\n", "Hidden.md": hidden, "Open.md": "o\n" };
      const { host, propose, person } = await openFixture({ vaultFiles, open: "Open.md" });
      const edit = await propose("B.md", "reviewed\n");
      await person.press("Accept file");
      await edit.result;
      host.write("Hidden.md", hidden.replace("old", "new"));
      host.write("Open.md", "written\n");
      await expect.poll(() => host.text()).toBe("written\n");
      host.write("A.md", "aa\n");
      host.write("A.md", "---\nagent: false\n---\nnow hidden\n");
      await host.commands.run("unreviewed-edits");
      const items = host.page.locator(".idewire-history-item");
      await expect.poll(() => items.allInnerTexts()).toHaveLength(1);
      expect(await items.textContent()).toMatch(
        /Open\.md[\s\S]*An agent or another program, while connected: Claude Code/,
      );
    },
  );
});

/** The size of New.md in the app's cache. */
const SIZE = `app.vault.getFileByPath("New.md")?.stat.size`;

async function openEdit(host: ObsidianHost, name: string): Promise<void> {
  await host.page.locator(".idewire-history-open", { hasText: name }).click();
  await host.page.locator(".mod-active .idewire-review-name", { hasText: name }).waitFor();
}

async function press(host: ObsidianHost, name: string): Promise<void> {
  await host.page.locator(".workspace-leaf.mod-active").getByRole("button", { name }).click();
}
