import {
  chmod,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PosixPath, Range } from "@idewire/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FolderHost, openFolderHost } from "./index.ts";

let folder: string;
let host: FolderHost;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "idewire-files-")));
  host = await openFolderHost(folder);
});

afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** In one step: nobody must see a file that is half written. */
async function file(name: string, text: string | Uint8Array): Promise<PosixPath> {
  const path = join(folder, name);
  await writeFile(`${folder}.part`, text);
  await rename(`${folder}.part`, path);
  return path as PosixPath;
}

/** Patient: the machine may be busy. */
function waitFor(holds: () => void): Promise<void> {
  return vi.waitFor(holds, 20_000);
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

describe("saving", () => {
  test("writes the unsaved text and keeps mode, byte order mark and neighbours", async () => {
    const path = await file("run.sh", "\uFEFFold");
    await chmod(path, 0o754);
    await host.edit(path, "new 🌱\r\n");
    expect(host.documents()[0]?.dirty).toBe(true);
    expect(await host.read(path)).toBe("new 🌱\r\n");
    expect(await host.save?.(path)).toEqual({ saved: true });
    expect(await readFile(path, "utf8")).toBe("\uFEFFnew 🌱\r\n");
    expect((await stat(path)).mode & 0o777).toBe(0o754);
    expect(await readdir(folder)).toEqual(["run.sh"]);
    expect(host.documents()[0]?.dirty).toBe(false);
  });

  test("does nothing for a clean document, and refuses one that is not open", async () => {
    const path = await file("a.txt", "a");
    expect(await host.save?.(path)).toEqual({ saved: false, message: `${path} is not open` });
    await host.open(path);
    expect(await host.save?.(path)).toEqual({ saved: true });
  });

  test.each([
    [
      "the file changed since it was read",
      "has changed on disk",
      (path: string) => writeFile(path, "theirs"),
    ],
    ["the file was deleted", "has been deleted", (path: string) => rm(path)],
    ["the file is read-only", "is read-only", (path: string) => chmod(path, 0o444)],
  ])("is refused when %s", async (_case, message, spoil) => {
    const path = await file("a.txt", "old");
    await host.edit(path, "mine");
    await spoil(path);
    const outcome = await host.save?.(path);
    expect(outcome?.saved).toBe(false);
    expect(outcome?.message).toContain(message);
    expect(await host.read(path)).toBe("mine");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is refused when the file was changed before its editor told what was typed", async () => {
    const path = await file("a.txt", "old");
    const stale: string[] = [];
    host.onStale((each) => stale.push(each));
    await host.open(path);
    const received = vi.fn();
    host.on("documents", received);
    await file("a.txt", "theirs");
    await waitFor(() => expect(received).toHaveBeenCalled());
    await host.edit(path, "old and mine", "old");
    expect(stale).toContain(path);
    expect(await host.save?.(path)).toMatchObject({ saved: false });
    expect(await host.read(path)).toBe("old and mine");
    await host.revert(path);
    await host.edit(path, "old", "old");
    expect(await host.read(path)).toBe("theirs");
    await host.edit(path, "theirs and mine", "theirs");
    expect(await host.save?.(path)).toEqual({ saved: true });
  });

  test("refuses half a character rather than write another one", async () => {
    const path = await file("a.txt", "old");
    await host.edit(path, "half \ud83c");
    expect(await host.save?.(path)).toMatchObject({ saved: false });
    expect(await readFile(path, "utf8")).toBe("old");
  });
});

describe("a file that changes on disk", () => {
  test("is shown anew when its document is clean", async () => {
    const path = await file("a.txt", "old");
    await host.select(path, range(0, 0, 0, 3));
    await file("a.txt", "new text");
    await waitFor(() => expect(selectedText()).toBe("new"));
    expect(host.documents()).toMatchObject([{ dirty: false }]);
  });

  test("is shown anew, too, when it is deleted and made again at once", async () => {
    // On a busy machine it may be gone for longer than a moment: then once more.
    await vi.waitFor(
      async () => {
        const path = await file("a.txt", "old");
        await host.select(path, range(0, 0, 0, 3));
        await rm(path);
        await file("a.txt", "again");
        const isClosed = () => host.documents().length === 0;
        await waitFor(() => expect(isClosed() || selectedText() === "aga").toBe(true));
        expect(isClosed()).toBe(false);
      },
      { timeout: 60_000 },
    );
    expect(host.documents()).toMatchObject([{ dirty: false }]);
  });

  test("leaves unsaved text alone until both are the same", async () => {
    const path = await file("a.txt", "old");
    const other = await file("b.txt", "old");
    await host.edit(path, "mine");
    await host.select(other, range(0, 0, 0, 3));
    await file("a.txt", "theirs");
    await file("b.txt", "new");
    await waitFor(() => expect(selectedText()).toBe("new"));
    expect(await host.read(path)).toBe("mine");
    const isDirty = () => host.documents().find((document) => document.path === path)?.dirty;
    expect(isDirty()).toBe(true);
    await file("a.txt", "mine");
    await waitFor(() => expect(isDirty()).toBe(false));
  });

  test("closes its clean document when it is deleted for good", async () => {
    const path = await file("a.txt", "old");
    await host.select(path, range(0, 0, 0, 3));
    await rm(path);
    await waitFor(() => expect(host.documents()).toEqual([]));
    expect(host.selection("latest")).toBeUndefined();
  });
});

describe("closing the host", () => {
  /** The runner has timers of its own. */
  function held(kind: string): number {
    return process.getActiveResourcesInfo().filter((name) => name === kind).length;
  }

  test("leaves no watcher and no timer behind, so that a process can end", async () => {
    // It watches the same folder, and would hear of what is written here.
    await host.close();
    await waitFor(() => expect(held("FSEventWrap")).toBe(0));
    const timers = held("Timeout");
    const watchers = held("FSEventWrap");
    const other = await openFolderHost(folder);
    const path = await file("a.json", "{");
    await other.open(path);
    await other.diagnostics?.();
    expect(held("FSEventWrap")).toBeGreaterThan(watchers);
    await writeFile(path, "{}");
    await rm(path);
    await other.close();
    // Of the runner's own timers there may be more for a while, but none of them stays.
    for (const end = performance.now() + 20_000; held("Timeout") > timers; await delay(20)) {
      if (performance.now() > end) break;
    }
    expect(held("Timeout")).toBeLessThanOrEqual(timers);
    await waitFor(() => expect(held("FSEventWrap")).toBe(watchers));
  });
});
