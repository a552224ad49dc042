import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askingModeWords, claudeCommand, isAskingMode } from "@idewire/core/internal";
import { expect, test } from "vitest";
import { permissionModeOf } from "./claude-edit.ts";
import { playClaude } from "./context.ts";

const argument = / --permission-mode (\S+)$/.exec(claudeCommand)?.[1] ?? "";

test.each(["1.0.128", "2.0.77", "2.1.190", "2.1.200", "2.1.332"])(
  "the command that idewire names starts Claude Code %s so that it opens diffs in the editor",
  async (version) => {
    const permissionMode = permissionModeOf(argument, version);
    expect(permissionMode).toBeDefined();
    const context = await playClaude({}, { ...(permissionMode && { permissionMode }) });
    const edit = context.client.edit(context.fixture.file("a.txt", "one"), "two");
    expect(edit.asking).toBe("ide-and-terminal");
    edit.answerInTerminal("reject");
    await edit.result;
  },
);

test("both names of the mode that asks are shown, and settings may have either", () => {
  expect(askingModeWords).toBe("permission mode default (called manual since 2.1.200)");
  expect(["default", "manual", "auto", "plan", undefined].filter(isAskingMode)).toEqual([
    "default",
    "manual",
  ]);
});

test("every page that names the mode that asks has both of its names", () => {
  const root = join(import.meta.dirname, "../../..");
  const words = ["grep", "-l", "-e", "--permission-mode default", "--", "*.md"];
  const pages = execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim().split("\n");
  expect(pages.length).toBeGreaterThan(5);
  const text = (page: string) => readFileSync(join(root, page), "utf8");
  expect(pages.filter((page) => !text(page).includes("*manual* since 2.1.200"))).toEqual([]);
});
