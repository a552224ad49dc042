import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ObsidianHost } from "../obsidian-host/index.ts";
import { verifies } from "../src/verifies.ts";
import { file, note, withComment } from "./comments-fixture.ts";

const storedIn = (host: ObsidianHost) =>
  (JSON.parse(host.read(file)) as { comments: Record<string, unknown>[] }).comments;

describe("the pane of comments", () => {
  verifies(
    "plugin:9:comments",
    "adds, edits, answers, resolves and deletes a comment, by keys, and takes a deletion back",
    async () => {
      const { host, pane } = await withComment(2, "Where exactly?", "QUESTION");
      expect(await pane.shown()).toMatch(/^QUESTIONLine 3 · \^meetingWhere exactly\?/);
      await host.page.keyboard.press("Escape");
      await pane.button("Edit: Where exactly?").press("Enter");
      await pane.write("Where is it?", "TODO");
      await pane.button(/^Reply/).click();
      await pane.write("At the gate.");
      await pane.button(/^Resolve/).click();
      await expect.poll(pane.shown).toMatch(/Resolved.*At the gate\./);
      expect(storedIn(host)).toMatchObject([
        {
          text: "Where is it?",
          tag: "TODO",
          status: "resolved",
          replies: [{ text: "At the gate." }],
        },
      ]);
      const before = storedIn(host);
      await pane.button(/^Delete/).click();
      await expect.poll(() => existsSync(join(host.vault, file))).toBe(false);
      await expect.poll(() => pane.pane.textContent()).toContain("No comments on Plan yet");
      await host.page.locator(".notice").getByRole("button", { name: "Undo" }).click();
      await expect.poll(pane.shown).toContain("Where is it?");
      expect(storedIn(host)).toEqual(before);
    },
  );

  verifies(
    "plugin:9:comments-place",
    "follows the text that is typed, shows the line on a click, and finds a moved place by the text",
    async () => {
      const { host, pane } = await withComment(6, "Ask for prices");
      await host.select([2, 0], [2, 0]);
      await host.commands.run("add-comment");
      await pane.write("Where exactly?", "QUESTION");
      // A draft of a comment follows the text, too.
      await host.select([8, 0], [8, 0]);
      await host.commands.run("add-comment");
      await pane.pane.getByText("Comment on line 9 of Plan").waitFor();
      await host.select([0, 0], [0, 0]);
      await host.page.keyboard.insertText("Before\n\n");
      await pane.pane.getByText("Comment on line 11 of Plan").waitFor();
      await pane.button("Cancel").click();
      await expect.poll(pane.shown).toMatch(/Line 9 · Costs.*moved from line 7/);
      await host.screenshot("comments");
      await pane.items.last().click();
      await expect
        .poll(() => host.page.evaluate("app.workspace.activeEditor.editor.getCursor().line"))
        .toBe(8);
      await host.save();
      host.write("Plan.md", note.replace("The soil for", "The good soil for"));
      await expect.poll(pane.shown).toMatch(/Line 7 · Costs.*Its text has changed/);
      await pane.button(/^Edit/).last().click();
      await pane.pane.getByRole("textbox", { name: "Text" }).fill("Ask for prices soon");
      await host.open("Other.md");
      await expect.poll(() => pane.pane.textContent()).toContain("No comments on Other yet");
      await pane.write("Ask for prices soon");
      await pane.pane.getByRole("searchbox").fill("tag:todo is:open PRICES");
      await expect.poll(pane.shown).toMatch(/Plan · Line 7/);
      await pane.pane.getByRole("searchbox").fill("is:lost");
      await expect.poll(() => pane.pane.textContent()).toContain("is:lost: expected one of");
    },
  );

  verifies(
    "plugin:9:comments-place",
    "keeps a comment whose text is deleted, and moves it to the place that the person chooses",
    async () => {
      const { host, pane } = await withComment(6, "Ask for prices");
      host.write("Plan.md", note.replace("The soil for all five beds is dear this year.", ""));
      host.write("Other.md", "# Other\n\nThe soil for all five beds is dear this year.\n");
      await expect.poll(pane.shown).toMatch(/Its text was deleted.*It was on: The soil for/);
      await pane.button("Search in other notes").click();
      await pane.button(/^Move it to line 3 of Other: The soil/).click();
      await expect.poll(() => existsSync(join(host.vault, "Other.md.comments"))).toBe(true);
      await expect.poll(() => pane.pane.textContent()).toContain("No comments on Plan yet");
      expect(existsSync(join(host.vault, file))).toBe(false);
    },
  );

  verifies(
    "plugin:9:comments-file",
    "shows changes by another program, and leaves a damaged file as it is",
    async () => {
      const { host, pane } = await withComment(2, "Where exactly?");
      const text = host.read(file);
      host.write(file, text.replace("Where exactly?", "Written outside"));
      await expect.poll(pane.shown).toContain("Written outside");
      host.write(file, `${text.slice(0, 40)}<<<`);
      await expect
        .poll(() => pane.pane.textContent())
        .toMatch(/comments on Plan cannot be read: .*\d+:\d+/);
      await host.commands.run("add-comment");
      await pane.pane.getByRole("textbox", { name: "Text" }).fill("New");
      await host.page.keyboard.press("Control+Enter");
      await host.notice(/The comment was not saved/);
      expect(host.read(file)).toBe(`${text.slice(0, 40)}<<<`);
      expect(await pane.pane.getByRole("textbox", { name: "Text" }).inputValue()).toBe("New");
    },
  );
});
