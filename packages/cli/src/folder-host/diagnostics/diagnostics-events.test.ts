import { rm } from "node:fs/promises";
import type { Diagnostic } from "@idewire/core";
import { describe, expect, test, vi } from "vitest";
import { useFolder } from "../../../../../tests/src/folder-fixture.ts";
import { type DiagnosticSource, openFolderHost } from "../index.ts";

const START = { line: 0, character: 0 };
const TROUBLE: Diagnostic = {
  range: { start: START, end: START },
  severity: "error",
  message: "given",
};

const at = useFolder();
const { write, counts, waitFor } = at;

describe("two checks of one file", () => {
  test("keep the findings of the later one, whichever ends first", async () => {
    let starts = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow: DiagnosticSource = {
      name: "slow",
      accepts: () => true,
      check: async (_path, text) => {
        starts += 1;
        if (text === "old") await ended;
        return text === "old" ? [TROUBLE] : [];
      },
    };
    const other = await openFolderHost(at.folder, { diagnosticSources: [slow] });
    const path = await write("a.x", "old");
    const first = other.diagnostics?.(path);
    // The initial scan of the folder may call it too.
    await waitFor(() => expect(starts).toBeGreaterThan(0));
    await write("a.x", "new");
    const second = await other.diagnostics?.(path);
    end();
    expect(await first).toEqual(second);
    expect(second).toEqual([{ path, diagnostics: [] }]);
    await other.close();
  });
});

describe("the event", () => {
  test("names the files whose diagnostics differ, and is not emitted otherwise", async () => {
    const received = vi.fn();
    at.host.on("diagnostics", received);
    const path = await write("a.json", "{");
    await counts(path);
    expect(received.mock.calls).toEqual([[[path]]]);
    await counts(path);
    await counts();
    expect(received).toHaveBeenCalledTimes(1);
    at.host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    at.host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    expect(received).toHaveBeenCalledTimes(2);
  });

  test("is emitted when an open or known file is changed, edited or deleted", async () => {
    const received: string[] = [];
    at.host.on("diagnostics", (paths) => void received.push(...paths));
    const path = await write("a.json", "{}");
    await at.host.open(path);
    await at.host.edit(path, "{");
    await waitFor(() => expect(received).toEqual([path]));
    await at.host.edit(path, "{}");
    await waitFor(() => expect(received).toHaveLength(2));
    await write("a.json", "[");
    await waitFor(() => expect(received).toHaveLength(3));
    await rm(path);
    await waitFor(() => expect(received).toHaveLength(4));
  });

  test("is emitted for a note when the target of its link is deleted", async () => {
    const note = await write("note.md", "[x](target.txt)");
    const target = await write("target.txt", "");
    await counts(note);
    const received: string[] = [];
    at.host.on("diagnostics", (paths) => void received.push(...paths));
    await rm(target);
    await waitFor(() => expect(received).toEqual([note]));
  });

  test("is no longer emitted after the host is closed", async () => {
    const path = await write("a.json", "{");
    const received = vi.fn();
    at.host.on("diagnostics", received);
    await at.host.close();
    await at.host.diagnostics?.(path);
    at.host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    expect(received).not.toHaveBeenCalled();
  });
});
