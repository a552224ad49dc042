import { mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Diagnostic, PosixPath } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type DiagnosticSource, type FolderHost, openFolderHost } from "../index.ts";

const START = { line: 0, character: 0 };
const TROUBLE: Diagnostic = {
  range: { start: START, end: START },
  severity: "error",
  message: "given",
};

let folder: string;
let host: FolderHost;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-events-")));
  host = await openFolderHost(folder);
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

function pathOf(name: string): PosixPath {
  return join(folder, name) as PosixPath;
}

/** In one step: nobody must see a file that is half written. */
async function write(name: string, text: string): Promise<PosixPath> {
  await writeFile(`${folder}.part`, text);
  await rename(`${folder}.part`, pathOf(name));
  return pathOf(name);
}

/** Patient: the machine may be busy. */
function waitFor(holds: () => void): Promise<void> {
  return vi.waitFor(holds, 20_000);
}

/** How many each file of an answer has. */
async function counts(path?: PosixPath): Promise<Readonly<Record<string, number>>> {
  const files = (await host.diagnostics?.(path)) ?? [];
  return Object.fromEntries(
    files.map((file) => [file.path.replace(`${folder}/`, ""), file.diagnostics.length]),
  );
}

describe("two checks of one file", () => {
  test("leave what the later one found, whichever ends first", async () => {
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
    const other = await openFolderHost(folder, { diagnosticSources: [slow] });
    const path = await write("a.x", "old");
    const first = other.diagnostics?.(path);
    // The folder's own scan may be at it too.
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
  test("names the files whose diagnostics are others, and comes for no other reason", async () => {
    const received = vi.fn();
    host.on("diagnostics", received);
    const path = await write("a.json", "{");
    await counts(path);
    expect(received.mock.calls).toEqual([[[path]]]);
    await counts(path);
    await counts();
    expect(received).toHaveBeenCalledTimes(1);
    host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    expect(received).toHaveBeenCalledTimes(2);
  });

  test("comes when an open or known file is changed, edited or deleted", async () => {
    const received: string[] = [];
    host.on("diagnostics", (paths) => void received.push(...paths));
    const path = await write("a.json", "{}");
    await host.open(path);
    await host.edit(path, "{");
    await waitFor(() => expect(received).toEqual([path]));
    await host.edit(path, "{}");
    await waitFor(() => expect(received).toHaveLength(2));
    await write("a.json", "[");
    await waitFor(() => expect(received).toHaveLength(3));
    await rm(path);
    await waitFor(() => expect(received).toHaveLength(4));
  });

  test("comes for a note when the file that it links to goes", async () => {
    const note = await write("note.md", "[x](target.txt)");
    const target = await write("target.txt", "");
    await counts(note);
    const received: string[] = [];
    host.on("diagnostics", (paths) => void received.push(...paths));
    await rm(target);
    await waitFor(() => expect(received).toEqual([note]));
  });

  test("comes no more after the host is closed", async () => {
    const path = await write("a.json", "{");
    const received = vi.fn();
    host.on("diagnostics", received);
    await host.close();
    await host.diagnostics?.(path);
    host.setDiagnostics([{ path, diagnostics: [TROUBLE] }]);
    expect(received).not.toHaveBeenCalled();
  });
});
