// @vitest-environment jsdom
import type { Diagnostic, PosixPath } from "@idewire/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { VaultDiagnostics, type VaultDiagnosticsParts } from "./vault-diagnostics.ts";

/** A vault in memory where each `!` in a note is a problem, with one open note and a stopped clock. */
function createVault(texts: Record<string, string>, open: readonly string[] = []) {
  vi.useFakeTimers({ now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const excluded = new Set<string>();
  const index = { behind: new Set<string>(), waits: 0, onWait: () => {} };
  const mtimes = new Map(Object.keys(texts).map((path) => [path, 0]));
  const adapter = {
    stat: async (path: string) => {
      const mtime = mtimes.get(path);
      return mtime === undefined ? null : { type: "file", mtime };
    },
  };
  const leaves = open.map((file) => ({ getViewState: () => ({ state: { file } }) }));
  const parts = {
    app: {
      vault: { adapter, getFileByPath: () => null },
      workspace: {
        on: () => ({}),
        offref: () => {},
        iterateAllLeaves: (emit: (leaf: unknown) => void) => leaves.forEach(emit),
      },
    },
    paths: {
      demandInside: async (path: string) => path.slice("/vault/".length),
      toAbsolute: (path: string) => `/vault/${path}`,
      read: async (path: string) => ({ kind: "text", text: texts[path.slice(7)] ?? "" }),
    },
    checker: {
      check: (_path: string, { text }: { readonly text: string }) =>
        [...text].flatMap((character, at) => (character === "!" ? finding(at) : [])),
    },
    editors: { textOf: () => undefined },
    index: {
      isBehind: (path: string) => index.behind.has(path),
      caughtUp: async () => {
        index.waits += 1;
        index.onWait();
      },
    },
    isExcluded: (path: string) => excluded.has(path),
  };
  const diagnostics = new VaultDiagnostics(parts as unknown as VaultDiagnosticsParts);
  const received: string[][] = [];
  diagnostics.on((paths) => void received.push([...paths]));
  const write = (path: string, text: string) => {
    texts[path] = text;
    mtimes.set(path, Date.now());
  };
  return { diagnostics, received, excluded, index, write };
}

function finding(character: number): Diagnostic {
  const place = { line: 0, character };
  return { range: { start: place, end: place }, severity: "warning", message: "!" };
}

const note = "/vault/Note.md" as PosixPath;
const other = "/vault/Other.md" as PosixPath;

describe("listeners", () => {
  test("are called when the diagnostics of a note have changed, and not before typing pauses", async () => {
    const { diagnostics, received, write } = createVault({ "Note.md": "a" }, ["Note.md"]);
    write("Note.md", "a!");
    diagnostics.changed("Note.md");
    await vi.advanceTimersByTimeAsync(200);
    diagnostics.changed("Note.md");
    await vi.advanceTimersByTimeAsync(200);
    expect(received).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(received).toEqual([[note]]);
    write("Note.md", "b!");
    diagnostics.changed("Note.md");
    diagnostics.changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received).toEqual([[note]]);
    write("Note.md", "b");
    diagnostics.changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received).toEqual([[note], [note]]);
  });

  test("are not called for notes that are neither open nor requested, nor for excluded ones", async () => {
    const { diagnostics, received, excluded } = createVault({ "Note.md": "!", "Other.md": "!" }, [
      "Note.md",
    ]);
    excluded.add("Note.md");
    diagnostics.changed("Other.md");
    diagnostics.changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received).toEqual([]);
  });

  test("are not called after closing", async () => {
    const { diagnostics, received } = createVault({ "Note.md": "!" }, ["Note.md"]);
    diagnostics.changed();
    diagnostics.close();
    diagnostics.changed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(received).toEqual([]);
  });
});

describe("an answer", () => {
  test("has the open and the requested notes, but no excluded one", async () => {
    const { diagnostics, excluded } = createVault({ "Note.md": "!", "Other.md": "a" }, ["Note.md"]);
    expect(await diagnostics.of()).toEqual([{ path: note, diagnostics: [finding(0)] }]);
    expect(await diagnostics.of(other)).toEqual([{ path: other, diagnostics: [] }]);
    expect((await diagnostics.of()).map(({ path }) => path)).toEqual([note, other]);
    excluded.add("Note.md");
    expect(await diagnostics.of(note)).toEqual([]);
    expect((await diagnostics.of()).map(({ path }) => path)).toEqual([other]);
  });

  test("about a file written just now waits once for Obsidian to index it", async () => {
    const { diagnostics, index, write } = createVault({ "Note.md": "a" });
    expect(await diagnostics.of(note)).toEqual([{ path: note, diagnostics: [] }]);
    expect(index.waits).toBe(0);
    write("Note.md", "!");
    index.onWait = () => write("Note.md", "a");
    expect(await diagnostics.of(note)).toEqual([{ path: note, diagnostics: [] }]);
    expect(index.waits).toBe(1);
  });

  test("for a missing note is the same as for an excluded one", async () => {
    const { diagnostics } = createVault({});
    expect(await diagnostics.of(note)).toEqual([]);
    expect(await diagnostics.of()).toEqual([]);
  });
});
