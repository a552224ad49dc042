import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Mention, PosixPath, Range } from "@idewire/core";
import { describe, expect, test, vi } from "vitest";
import { useFolder } from "../../../../tests/src/folder-fixture.ts";

const at = useFolder();
const { write } = at;

function range(startLine: number, startCharacter: number, endLine: number, end: number): Range {
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: end },
  };
}

function selectedText(): string | undefined {
  return at.host.selection("latest")?.ranges[0]?.text;
}

describe("documents", () => {
  test("are listed with the details that agents need; the last one opened is active", async () => {
    const note = await write("my nöte.md", "a");
    const code = await write("main.tsx", "b");
    await at.host.open(note);
    await at.host.open(code);
    const [first, second] = at.host.documents();
    expect(first).toMatchObject({
      path: note,
      uri: `file://${at.folder}/my%20n%C3%B6te.md`,
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
    const front = await write("front.md", "a");
    const behind = await write("behind.md", "b");
    await at.host.open(front);
    await at.host.reveal?.(behind, { preserveFocus: true });
    expect(at.host.documents().map(({ label, active }) => [label, active])).toEqual([
      ["front.md", true],
      ["behind.md", false],
    ]);
    await at.host.reveal?.(behind, { range: range(0, 0, 0, 1) });
    expect(selectedText()).toBe("b");
  });

  test("close by label or path, and never with unsaved text", async () => {
    const one = await write("one.md", "1");
    const two = await write("two.md", "2");
    for (const path of [one, two]) await at.host.open(path);
    await at.host.edit(two, "mine");
    expect(await at.host.closeTab?.("one.md")).toBe(true);
    expect(await at.host.closeTab?.("one.md")).toBe(false);
    expect(await at.host.closeTab?.(two)).toBe(false);
    await at.host.edit(two, "2");
    expect(await at.host.closeTab?.(two)).toBe(true);
    expect(await at.host.closeTab?.("/etc/passwd")).toBe(false);
    expect(at.host.documents()).toEqual([]);
  });

  test("close by command, and lose unsaved text only when it is discarded", async () => {
    const path = await write("data.json", "{}");
    await at.host.edit(path, "{");
    expect(await at.host.diagnostics?.(path)).toMatchObject([{ diagnostics: [{}] }]);
    expect(await at.host.closeDocument(path, { discard: false })).toBe(false);
    const rechecked = new Promise((resolve) => at.host.on("diagnostics", resolve));
    expect(await at.host.closeDocument(path, { discard: true })).toBe(true);
    expect(await at.host.closeDocument(path, { discard: true })).toBe(false);
    expect(at.host.documents()).toEqual([]);
    expect(await at.host.read(path)).toBe("{}");
    await rechecked;
    expect(await at.host.diagnostics?.(path)).toMatchObject([{ diagnostics: [] }]);
  });

  test("are reported when they change", async () => {
    const path = await write("a.md", "1");
    const received = vi.fn();
    at.host.on("documents", received);
    await at.host.edit(path, "2");
    expect(received).toHaveBeenCalled();
    received.mockClear();
    await at.host.edit(path, "2");
    expect(received).not.toHaveBeenCalled();
  });
});

describe("a selection", () => {
  test("has the file's text, in UTF-16 units, over \\n and \\r\\n", async () => {
    const path = await write("a.txt", "one\r\ntwo 🌱 three\nfour");
    await at.host.select(path, range(0, 1, 1, 6));
    expect(at.host.selection("current")).toEqual({
      path,
      ranges: [{ ...range(0, 1, 1, 6), text: "ne\r\ntwo 🌱" }],
      primary: 0,
    });
    await at.host.select(path, range(1, 5, 2, 4));
    expect(selectedText()).toBe("\udf31 three\nfour");
  });

  test("has the unsaved text first, and the given text before all", async () => {
    const path = await write("a.txt", "one");
    await at.host.edit(path, "uno");
    await at.host.select(path, range(0, 0, 0, 3));
    expect(selectedText()).toBe("uno");
    await at.host.select(path, range(0, 0, 7, 0), "as given");
    expect(selectedText()).toBe("as given");
  });

  test("is counted without a byte order mark", async () => {
    const path = await write("a.txt", "\uFEFFone");
    await at.host.select(path, range(0, 0, 0, 3));
    expect(selectedText()).toBe("one");
  });

  test.each([
    [range(0, 0, 999, 0), "line 999 is outside 0–2"],
    [range(0, 0, 1, 5), "character 5 of line 1 is outside 0–3"],
    [range(1, 0, 0, 2), "the range starts at 1:0, after its end 0:2"],
    [range(-1, 0, 0, 0), "line -1 is not a whole number of 0 or more"],
    [range(0, 0.5, 0, 1), "character 0.5 is not a whole number of 0 or more"],
    [range(0, Number.NaN, 0, 1), "character NaN is not a whole number of 0 or more"],
  ])("outside the text is refused with the numbers: %#", async (bad, message) => {
    const path = await write("a.txt", "one\ntwo\n");
    await expect(at.host.select(path, bad)).rejects.toThrow(message);
    expect(at.host.documents()).toEqual([]);
    expect(at.host.selection("latest")).toBeUndefined();
  });

  test("is a cursor at the start in a document that is only opened, and stays in its own", async () => {
    const one = await write("one.txt", "one");
    const two = await write("two.txt", "two");
    await at.host.select(one, range(0, 0, 0, 3));
    await at.host.open(one);
    expect(selectedText()).toBe("one");
    await at.host.open(two);
    expect(at.host.selection("current")).toEqual({
      path: two,
      ranges: [{ ...range(0, 0, 0, 0), text: "" }],
      primary: 0,
    });
  });

  test("ends when it is cleared, or its document is closed", async () => {
    const path = await write("a.txt", "one");
    const received = vi.fn();
    await at.host.select(path, range(0, 0, 0, 1));
    at.host.on("selection", () => received(at.host.selection("latest")));
    at.host.clearSelection();
    expect(received.mock.calls).toEqual([[undefined]]);
    at.host.clearSelection();
    expect(received).toHaveBeenCalledTimes(1);
    await at.host.select(path, range(0, 0, 0, 1));
    await at.host.closeTab?.("a.txt");
    expect(received).toHaveBeenLastCalledWith(undefined);
  });

  test("is limited to the remaining text when its document changes", async () => {
    const path = await write("a.txt", "one\ntwo");
    await at.host.select(path, range(0, 1, 1, 3));
    await at.host.edit(path, "ONE");
    expect(at.host.selection("latest")?.ranges).toEqual([{ ...range(0, 1, 0, 3), text: "NE" }]);
  });
});

describe("a mention", () => {
  test("of a folder, an image, a PDF or a large file is sent: nothing of it is read", async () => {
    await mkdir(join(at.folder, "sub"));
    await write("pixel.png", new Uint8Array([0x89, 0x50, 0, 1]));
    await write("paper.pdf", new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 0xff]));
    const large = await open(join(at.folder, "large.log"), "w");
    await large.truncate(63 * 1024 * 1024);
    await large.close();
    const received: string[] = [];
    at.host.on("mention", ({ path }) => void received.push(path.slice(at.folder.length + 1)));
    const names = ["sub", "pixel.png", "paper.pdf", "large.log"];
    for (const name of names) await at.host.mention({ path: join(at.folder, name) as PosixPath });
    const lines = { start: 0, end: 9 };
    await at.host.mention({ path: join(at.folder, "large.log") as PosixPath, lines });
    expect(received).toEqual([...names, "large.log"]);
  });

  test("reaches all listeners, with its lines checked", async () => {
    const path = await write("a.txt", "one\ntwo");
    const received: Mention[] = [];
    at.host.on("mention", (mention) => void received.push(mention));
    await at.host.mention({ path, lines: { start: 0, end: 1 }, session: "s1" });
    await expect(at.host.mention({ path, lines: { start: 0, end: 2 } })).rejects.toThrow(
      "line 2 is outside 0–1",
    );
    await expect(at.host.mention({ path: join(at.folder, "no") as PosixPath })).rejects.toThrow(
      "does not exist",
    );
    expect(received).toEqual([{ path, lines: { start: 0, end: 1 }, session: "s1" }]);
  });
});
