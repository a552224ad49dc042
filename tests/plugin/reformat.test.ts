import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ObsidianHost, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import { verifies } from "../src/verifies.ts";

const untidy = "# Plan\nSome words  \nand ==more== [[Other]] \n- one\n* two\n\n|a|b|\n|-|-|\n|1|2|";
const tidy =
  "# Plan\n\nSome words  \nand ==more== [[Other]]\n\n- one\n* two\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |\n";
const vaultFiles = { "Note.md": untidy, "Other.md": untidy, "Board.canvas": "{}" };

async function reformat(host: ObsidianHost, name: string): Promise<string> {
  const agent = await host.agents.raw();
  const answer = await agent.callTool("reformat_file", { file_path: join(host.vault, name) });
  return JSON.stringify(answer);
}

/** Every construct that Obsidian adds to Markdown, untidily written. */
const rich = [
  "---\ntags:   [a,b]\nkey: 1   \n---\n# One\nText with [[There|alias]] and ![[There#Here]] ==mark==  ",
  "hard break, #tag/sub, key:: value, %%hidden%%, $x^2$, `code  `, ~~gone~~ ^id-1",
  "> [!note]- Title",
  "> inside  ",
  "",
  "- [ ] task   ",
  "- [x] done",
  "    * nested ^id-2",
  "1) one",
  "",
  "|a|b [[There\\|c]]|",
  "|-|:-:|",
  "|1|2|",
  "",
  "%%\n# no heading  \n%%",
  "```js\n  code  \n\n\n```",
  "$$\nx  \n$$",
  'A note[^1] and [a link](There.md "title").   ',
  "",
  "[^1]: the note  ",
  "<div>\n\n  html  \n</div>",
  "## Two ##",
  "***",
  "End",
].join("\n");

/** What Obsidian knows of a note's structure, without places. */
const structure = (path: string) => `JSON.parse(JSON.stringify(
  app.metadataCache.getFileCache(app.vault.getFileByPath(${JSON.stringify(path)})),
  (key, value) => (/^(position|key|parent)$/.test(key) ? undefined : value),
))`;

describe("an agent, or a person", () => {
  const files = { ...vaultFiles, "Rich.md": rich, "There.md": "# Here\n" };
  const app = shared({ vaultFiles: files });

  verifies(
    "plugin:6:reformat",
    "an agent has an open note formatted, and the person takes it back in one step",
    async () => {
      const host = app();
      await host.open("Note.md");
      await host.select([1, 5]);
      expect(await reformat(host, "Note.md")).not.toContain('isError":true');
      await expect.poll(() => host.text()).toBe(tidy);
      const line = "app.workspace.activeEditor.editor.getCursor()";
      await expect.poll(() => host.page.evaluate(line)).toEqual({ line: 2, ch: 5 });
      await host.page.keyboard.press("Control+z");
      await expect.poll(() => host.text()).toBe(untidy);
    },
  );

  verifies(
    "plugin:6:reformat-closed",
    "a note that is not open is formatted on disk, and what is no note is refused",
    async () => {
      const host = app();
      await reformat(host, "Other.md");
      expect(host.read("Other.md")).toBe(tidy);
      expect(await reformat(host, "Board.canvas")).toContain("is not a Markdown note");
      expect(host.read("Board.canvas")).toBe("{}");
    },
  );

  verifies(
    "plugin:6:reformat-safe",
    "formatting keeps the structure of every construct, and formatting again changes nothing",
    async () => {
      const host = app();
      const before = await host.page.evaluate(structure("Rich.md"));
      await reformat(host, "Rich.md");
      const once = host.read("Rich.md");
      expect(once).not.toBe(rich);
      expect(once.replace(/[\s|-]/g, "")).toBe(
        rich.replace(/[\s|-]/g, "").replace("*nested", "nested"),
      );
      await expect
        .poll(() => host.page.evaluate("app.vault.getFileByPath('Rich.md').stat.size"))
        .toBe(Buffer.byteLength(once));
      await expect.poll(() => host.page.evaluate(structure("Rich.md"))).toEqual(before);
      await reformat(host, "Rich.md");
      expect(host.read("Rich.md")).toBe(once);
    },
  );

  test("the person formats a note by a command", async () => {
    const host = app();
    await host.open("Note.md");
    expect(await host.commands.run("format-note")).toBe(true);
    await host.page.waitForFunction(
      `app.workspace.activeEditor.editor.getValue() === ${JSON.stringify(tidy)}`,
    );
  });
});

test("another plugin formats instead, where the person wants that and it is there", async () => {
  const settings = { formatCommand: "linter:lint-file" };
  const host = await start({ vaultFiles, settings, open: "Note.md" });
  await reformat(host, "Note.md");
  await expect.poll(() => host.text()).toBe(tidy);
  await host.page.evaluate(`app.registries.commands.set("linter:lint-file", {
    id: "linter:lint-file",
    name: "Linter: Lint the current file",
    callback: () => app.workspace.activeEditor.editor.setValue("Linted."),
  })`);
  await reformat(host, "Note.md");
  await expect.poll(() => host.text()).toBe("Linted.");
  await host.settings.open();
  await host.page.getByText("Format notes with").waitFor();
});
