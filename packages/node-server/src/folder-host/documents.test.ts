import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mention, PosixPath, Range } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FolderHost, openFolderHost } from "./index.ts";

let folder: string;
let host: FolderHost;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-documents-")));
  host = await openFolderHost(folder);
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string | Uint8Array): Promise<PosixPath> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path as PosixPath;
}

function range(startLine: number, startCharacter: number, endLine: number, end: number): Range {
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: end },
  };
}

function selectedText(): string | undefined {
  return host.selection("latest")?.ranges[0]?.text;
}

describe("documents", () => {
  test("are listed with what an agent wants to know; the one opened last is active", async () => {
    const note = await file("my nöte.md", "a");
    const code = await file("main.tsx", "b");
    await host.open(note);
    await host.open(code);
    const [first, second] = host.documents();
    expect(first).toMatchObject({
      path: note,
      uri: `file://${folder}/my%20n%C3%B6te.md`,
      languageId: "markdown",
      label: "my nöte.md",
      dirty: false,
      untitled: false,
      active: false,
      visible: false,
    });
    expect(second).toMatchObject({ languageId: "typescriptreact", active: true, visible: true });
    expect(second?.lastFocusedMs).toBeGreaterThan(first?.lastFocusedMs ?? Number.NaN);
  });

  test("revealed without focus open behind the active one", async () => {
    const front = await file("front.md", "a");
    const behind = await file("behind.md", "b");
    await host.open(front);
    await host.reveal?.(behind, { preserveFocus: true });
    expect(host.documents().map(({ label, active }) => [label, active])).toEqual([
      ["front.md", true],
      ["behind.md", false],
    ]);
    await host.reveal?.(behind, { range: range(0, 0, 0, 1) });
    expect(selectedText()).toBe("b");
  });

  test("close by label or path, and never with unsaved text", async () => {
    const one = await file("one.md", "1");
    const two = await file("two.md", "2");
    for (const path of [one, two]) await host.open(path);
    await host.edit(two, "mine");
    expect(await host.closeTab?.("one.md")).toBe(true);
    expect(await host.closeTab?.("one.md")).toBe(false);
    expect(await host.closeTab?.(two)).toBe(false);
    await host.edit(two, "2");
    expect(await host.closeTab?.(two)).toBe(true);
    expect(await host.closeTab?.("/etc/passwd")).toBe(false);
    expect(host.documents()).toEqual([]);
  });

  test("close by command, and lose unsaved text only when it is discarded", async () => {
    const path = await file("data.json", "{}");
    await host.edit(path, "{");
    expect(await host.diagnostics?.(path)).toMatchObject([{ diagnostics: [{}] }]);
    expect(await host.closeDocument(path, { discard: false })).toBe(false);
    const rechecked = new Promise((resolve) => host.on("diagnostics", resolve));
    expect(await host.closeDocument(path, { discard: true })).toBe(true);
    expect(await host.closeDocument(path, { discard: true })).toBe(false);
    expect(host.documents()).toEqual([]);
    expect(await host.read(path)).toBe("{}");
    await rechecked;
    expect(await host.diagnostics?.(path)).toMatchObject([{ diagnostics: [] }]);
  });

  test("that change tell of it", async () => {
    const path = await file("a.md", "1");
    const received = vi.fn();
    host.on("documents", received);
    await host.edit(path, "2");
    expect(received).toHaveBeenCalled();
    received.mockClear();
    await host.edit(path, "2");
    expect(received).not.toHaveBeenCalled();
  });
});

describe("a selection", () => {
  test("has the file's text, in UTF-16 units, over \\n and \\r\\n", async () => {
    const path = await file("a.txt", "one\r\ntwo 🌱 three\nfour");
    await host.select(path, range(0, 1, 1, 6));
    expect(host.selection("current")).toEqual({
      path,
      ranges: [{ ...range(0, 1, 1, 6), text: "ne\r\ntwo 🌱" }],
      primary: 0,
    });
    await host.select(path, range(1, 5, 2, 4));
    expect(selectedText()).toBe("\udf31 three\nfour");
  });

  test("has the unsaved text first, and the given text before all", async () => {
    const path = await file("a.txt", "one");
    await host.edit(path, "uno");
    await host.select(path, range(0, 0, 0, 3));
    expect(selectedText()).toBe("uno");
    await host.select(path, range(0, 0, 7, 0), "as given");
    expect(selectedText()).toBe("as given");
  });

  test("is counted without a byte order mark", async () => {
    const path = await file("a.txt", "\uFEFFone");
    await host.select(path, range(0, 0, 0, 3));
    expect(selectedText()).toBe("one");
  });

  test.each([
    [range(0, 0, 999, 0), "line 999 is outside 0–2"],
    [range(0, 0, 1, 5), "character 5 of line 1 is outside 0–3"],
    [range(1, 0, 0, 2), "the range starts at 1:0, after its end 0:2"],
    [range(-1, 0, 0, 0), "line -1 is not a whole number from 0 on"],
    [range(0, 0.5, 0, 1), "character 0.5 is not a whole number from 0 on"],
    [range(0, Number.NaN, 0, 1), "character NaN is not a whole number from 0 on"],
  ])("outside the text is refused with the numbers: %#", async (bad, message) => {
    const path = await file("a.txt", "one\ntwo\n");
    await expect(host.select(path, bad)).rejects.toThrow(message);
    expect(host.documents()).toEqual([]);
    expect(host.selection("latest")).toBeUndefined();
  });

  test("is a cursor at the start in a document that is only opened, and stays in its own", async () => {
    const one = await file("one.txt", "one");
    const two = await file("two.txt", "two");
    await host.select(one, range(0, 0, 0, 3));
    await host.open(one);
    expect(selectedText()).toBe("one");
    await host.open(two);
    expect(host.selection("current")).toEqual({
      path: two,
      ranges: [{ ...range(0, 0, 0, 0), text: "" }],
      primary: 0,
    });
  });

  test("is gone when it is cleared, or its document is closed", async () => {
    const path = await file("a.txt", "one");
    const received = vi.fn();
    await host.select(path, range(0, 0, 0, 1));
    host.on("selection", () => received(host.selection("latest")));
    host.clearSelection();
    expect(received.mock.calls).toEqual([[undefined]]);
    host.clearSelection();
    expect(received).toHaveBeenCalledTimes(1);
    await host.select(path, range(0, 0, 0, 1));
    await host.closeTab?.("a.txt");
    expect(received).toHaveBeenLastCalledWith(undefined);
  });

  test("keeps to the text that is left when its document changes", async () => {
    const path = await file("a.txt", "one\ntwo");
    await host.select(path, range(0, 1, 1, 3));
    await host.edit(path, "ONE");
    expect(host.selection("latest")?.ranges).toEqual([{ ...range(0, 1, 0, 3), text: "NE" }]);
  });
});

describe("a mention", () => {
  test("goes to whoever listens, with its lines checked", async () => {
    const path = await file("a.txt", "one\ntwo");
    const received: Mention[] = [];
    host.on("mention", (mention) => void received.push(mention));
    await host.mention({ path, lines: { start: 0, end: 1 }, session: "s1" });
    await expect(host.mention({ path, lines: { start: 0, end: 2 } })).rejects.toThrow(
      "line 2 is outside 0–1",
    );
    await expect(host.mention({ path: join(folder, "no") as PosixPath })).rejects.toThrow(
      "does not exist",
    );
    expect(received).toEqual([{ path, lines: { start: 0, end: 1 }, session: "s1" }]);
  });
});
