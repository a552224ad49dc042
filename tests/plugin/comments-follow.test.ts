import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { verifies } from "../src/verifies.ts";
import { file, note, withComment } from "./comments-fixture.ts";

describe("the comments of a note", () => {
  verifies("plugin:9:comments-follow", "are renamed with it, in the app or outside", async () => {
    const { host, pane } = await withComment(2, "Where exactly?");
    const rename = `app.fileManager.renameFile(app.vault.getFileByPath("Plan.md"), "Sub/New.md")`;
    await host.page.evaluate(rename);
    const moved = join(host.vault, "Sub/New.md");
    await expect.poll(() => existsSync(`${moved}.comments`)).toBe(true);
    expect(existsSync(join(host.vault, file))).toBe(false);
    await expect.poll(pane.shown).toContain("Where exactly?");
    renameSync(moved, join(host.vault, "Out.md"));
    await expect.poll(() => existsSync(join(host.vault, "Out.md.comments"))).toBe(true);
    expect(existsSync(`${moved}.comments`)).toBe(false);
  });

  verifies("plugin:9:comments-follow", "are trashed with it, unless it returns", async () => {
    const { host } = await withComment(2, "Where exactly?");
    rmSync(join(host.vault, "Plan.md"));
    const isKnown = () => host.page.evaluate("app.vault.getFileByPath('Plan.md') !== null");
    await expect.poll(isKnown).toBe(false);
    host.write("Plan.md", note);
    await expect.poll(isKnown).toBe(true);
    await host.page.evaluate("app.fileManager.trashFile(app.vault.getFileByPath('Other.md'))");
    host.write("Other.md.comments", host.read(file));
    await expect.poll(() => existsSync(join(host.vault, ".trash/Other.md"))).toBe(true);
    expect(existsSync(join(host.vault, file))).toBe(true);
    await host.page.evaluate("app.fileManager.trashFile(app.vault.getFileByPath('Plan.md'))");
    const trash = join(host.vault, ".trash");
    await expect.poll(() => readdirSync(trash)).toContain(file);
  });
});
