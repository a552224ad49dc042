import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Range } from "@idewire/core";
import { describe, expect, test, vi } from "vitest";
import { useFolder } from "../../../../tests/src/folder-fixture.ts";
import { openFolderHost } from "./index.ts";

const at = useFolder();
const { write, waitFor } = at;

function range(startLine: number, startCharacter: number, endLine: number, end: number): Range {
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: end },
  };
}

function selectedText(): string | undefined {
  return at.host.selection("latest")?.ranges[0]?.text;
}

describe("saving", () => {
  test("writes the unsaved text and keeps mode, byte order mark and neighbours", async () => {
    const path = await write("run.sh", "\uFEFFold");
    await chmod(path, 0o754);
    await at.host.edit(path, "new 🌱\r\n");
    expect(at.host.documents()[0]?.dirty).toBe(true);
    expect(await at.host.read(path)).toBe("new 🌱\r\n");
    expect(await at.host.save?.(path)).toEqual({ saved: true });
    expect(await readFile(path, "utf8")).toBe("\uFEFFnew 🌱\r\n");
    expect((await stat(path)).mode & 0o777).toBe(0o754);
    expect(await readdir(at.folder)).toEqual(["run.sh"]);
    expect(at.host.documents()[0]?.dirty).toBe(false);
  });

  test("does nothing for a clean document, and refuses one that is not open", async () => {
    const path = await write("a.txt", "a");
    expect(await at.host.save?.(path)).toEqual({ saved: false, message: `${path} is not open` });
    await at.host.open(path);
    expect(await at.host.save?.(path)).toEqual({ saved: true });
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
    const path = await write("a.txt", "old");
    await at.host.edit(path, "mine");
    await spoil(path);
    const outcome = await at.host.save?.(path);
    expect(outcome?.saved).toBe(false);
    expect(outcome?.message).toContain(message);
    expect(await at.host.read(path)).toBe("mine");
    expect((await readdir(at.folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is refused when the file was changed before the edit arrived", async () => {
    const path = await write("a.txt", "old");
    const stale: string[] = [];
    at.host.onStale((each) => stale.push(each));
    await at.host.open(path);
    const received = vi.fn();
    at.host.on("documents", received);
    await write("a.txt", "theirs");
    await waitFor(() => expect(received).toHaveBeenCalled());
    await at.host.edit(path, "old and mine", { over: "old" });
    expect(stale).toContain(path);
    expect(await at.host.save?.(path)).toMatchObject({ saved: false });
    expect(await at.host.read(path)).toBe("old and mine");
    await at.host.revert(path);
    await at.host.edit(path, "old", { over: "old" });
    expect(await at.host.read(path)).toBe("theirs");
    await at.host.edit(path, "theirs and mine", { over: "theirs" });
    expect(await at.host.save?.(path)).toEqual({ saved: true });
  });

  test("is restored once, however many pages had it", async () => {
    const path = await write("a.txt", "old");
    const restore = () => at.host.edit(path, "mine, old", { over: "old", restores: true });
    await Promise.all([restore(), restore()]);
    await at.host.edit(path, "mine, old, more", { over: "mine, old" });
    await restore();
    expect(await at.host.read(path)).toBe("mine, old, more");
  });

  test("refuses half a surrogate pair instead of writing another character", async () => {
    const path = await write("a.txt", "old");
    await at.host.edit(path, "half \ud83c");
    expect(await at.host.save?.(path)).toMatchObject({ saved: false });
    expect(await readFile(path, "utf8")).toBe("old");
  });
});

describe("a file that changes on disk", () => {
  test("is reloaded when its document is clean", async () => {
    const path = await write("a.txt", "old");
    await at.host.select(path, range(0, 0, 0, 3));
    await write("a.txt", "new text");
    await waitFor(() => expect(selectedText()).toBe("new"));
    expect(at.host.documents()).toMatchObject([{ dirty: false }]);
  });

  test("is also reloaded when it is deleted and recreated at once", async () => {
    // On a busy machine the file may be missing for too long: try again then.
    await vi.waitFor(
      async () => {
        const path = await write("a.txt", "old");
        await at.host.select(path, range(0, 0, 0, 3));
        await rm(path);
        await write("a.txt", "again");
        const isClosed = () => at.host.documents().length === 0;
        await waitFor(() => expect(isClosed() || selectedText() === "aga").toBe(true));
        expect(isClosed()).toBe(false);
      },
      { timeout: 60_000 },
    );
    expect(at.host.documents()).toMatchObject([{ dirty: false }]);
  });

  test("does not touch unsaved text until both are equal", async () => {
    const path = await write("a.txt", "old");
    const other = await write("b.txt", "old");
    await at.host.edit(path, "mine");
    await at.host.select(other, range(0, 0, 0, 3));
    await write("a.txt", "theirs");
    await write("b.txt", "new");
    await waitFor(() => expect(selectedText()).toBe("new"));
    expect(await at.host.read(path)).toBe("mine");
    const isDirty = () => at.host.documents().find((document) => document.path === path)?.dirty;
    expect(isDirty()).toBe(true);
    await write("a.txt", "mine");
    await waitFor(() => expect(isDirty()).toBe(false));
  });

  test("closes its clean document when it is deleted for good", async () => {
    const path = await write("a.txt", "old");
    await at.host.select(path, range(0, 0, 0, 3));
    await rm(path);
    await waitFor(() => expect(at.host.documents()).toEqual([]));
    expect(at.host.selection("latest")).toBeUndefined();
  });
});

describe("closing the host", () => {
  /** The number of active resources of a kind, including those of the test runner. */
  function held(kind: string): number {
    return process.getActiveResourcesInfo().filter((name) => name === kind).length;
  }

  test("leaves no watcher and no timer behind, so that a process can exit", async () => {
    // The other host watches the same folder, and would react to these writes.
    await at.host.close();
    await waitFor(() => expect(held("FSEventWrap")).toBe(0));
    const timers = held("Timeout");
    const watchers = held("FSEventWrap");
    const other = await openFolderHost(at.folder);
    const path = await write("a.json", "{");
    await other.open(path);
    await other.diagnostics?.();
    expect(held("FSEventWrap")).toBeGreaterThan(watchers);
    await writeFile(path, "{}");
    await rm(path);
    await other.close();
    // The test runner may have more timers for a while, but only temporarily.
    for (const end = performance.now() + 20_000; held("Timeout") > timers; await delay(20)) {
      if (performance.now() > end) break;
    }
    expect(held("Timeout")).toBeLessThanOrEqual(timers);
    await waitFor(() => expect(held("FSEventWrap")).toBe(watchers));
  });
});
