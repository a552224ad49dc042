// @vitest-environment jsdom
import { describe, expect, test } from "vitest";
import { VaultCheck, type VaultCheckParts } from "./vault-check.ts";
import type { Grounds } from "./vault-targets.ts";

/** `From.md` links to `To.md`; nothing links to `Alone.md`. */
function createVault() {
  const mtimes = new Map(["From.md", "To.md", "Alone.md"].map((path) => [path, 1]));
  const [open, behind, excluded] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const unsettled = new Set<string>();
  let looked: string[] = [];
  const parts = {
    app: {
      vault: {
        getMarkdownFiles: () => [...mtimes.keys()].map((path) => ({ path })),
        getFileByPath: (path: string) => ({ path, stat: { mtime: mtimes.get(path) } }),
        cachedRead: async () => "text",
      },
    },
    checker: {
      check: (path: string, _text: unknown, grounds: Grounds) => {
        looked.push(path);
        if (path === "From.md") grounds.targets.add("To.md");
        if (unsettled.has(path)) grounds.isLasting = false;
        const place = { line: 0, character: 0 };
        return [{ range: { start: place, end: place }, severity: "warning", message: path }];
      },
    },
    editors: { textOf: (path: string) => (open.has(path) ? { text: "text" } : undefined) },
    index: { isBehind: (path: string) => behind.has(path) },
    isExcluded: (path: string) => excluded.has(path),
  };
  const check = new VaultCheck(parts as unknown as VaultCheckParts);
  /** The examined notes; all notes are always reported. */
  const run = async () => {
    looked = [];
    const report = await check.run();
    expect(report.found).toBe(mtimes.size - excluded.size);
    return looked.sort();
  };
  return { check, run, mtimes, open, behind, excluded, unsettled };
}

const all = ["Alone.md", "From.md", "To.md"];

describe("another check of a vault", () => {
  test("does not check unchanged notes again, but reports them", async () => {
    const { run } = createVault();
    expect(await run()).toEqual(all);
    expect(await run()).toEqual([]);
  });

  test("checks changed notes and those that link to reindexed ones", async () => {
    const { check, run, mtimes } = createVault();
    await run();
    mtimes.set("Alone.md", 2);
    expect(await run()).toEqual(["Alone.md"]);
    check.changed("To.md");
    expect(await run()).toEqual(["From.md", "To.md"]);
    expect(await run()).toEqual([]);
  });

  test("checks everything after files were created or deleted, or the report was closed", async () => {
    const { check, run } = createVault();
    await run();
    check.forget();
    expect(await run()).toEqual(all);
  });

  test("does not reuse results from an editor, an outdated index, or exclusions", async () => {
    const { run, open, behind, unsettled } = createVault();
    open.add("Alone.md");
    behind.add("To.md");
    unsettled.add("From.md");
    await run();
    expect(await run()).toEqual(all);
    for (const reason of [open, behind, unsettled]) reason.clear();
    expect(await run()).toEqual(all);
    expect(await run()).toEqual([]);
  });

  test("does not report a note that is excluded now", async () => {
    const { run, excluded } = createVault();
    await run();
    excluded.add("To.md");
    expect(await run()).toEqual([]);
  });
});
