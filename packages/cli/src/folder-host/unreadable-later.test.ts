import { mkdir, rm, symlink, truncate } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { useFolder } from "../../../../tests/src/folder-fixture.ts";

const at = useFolder();
const { write, waitFor } = at;
const FIRST = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };

const changes: readonly (readonly [string, (path: string) => Promise<unknown>, RegExp])[] = [
  ["a folder", (path) => rm(path).then(() => mkdir(path)), /is a directory/],
  ["a binary file", () => write("a.txt", new Uint8Array([1, 0, 2])), /binary/],
  ["no UTF-8", () => write("a.txt", new Uint8Array([0x80, 0x81])), /binary/],
  ["too large", (path) => truncate(path, 17 << 20), /binary|more than/],
  [
    "a link out of the folder",
    (path) => rm(path).then(() => symlink("/etc/hostname", path)),
    /outside/,
  ],
];

describe("the document of a file that becomes", () => {
  test.each(changes)(
    "%s is closed with its selection, and its old text cannot be read any more",
    async (_, change, why) => {
      const path = await write("a.txt", "old");
      await at.host.select(path, FIRST);
      await change(path);
      await waitFor(() => expect(at.host.documents()).toEqual([]));
      expect(at.host.selection("latest")).toBe(undefined);
      await expect(at.host.read(path)).rejects.toThrow(why);
    },
  );

  test.each(changes)("%s keeps unsaved text, and is stale", async (_, change) => {
    const path = await write("a.txt", "old");
    await at.host.edit(path, "mine");
    const stale: string[] = [];
    at.host.onStale((each) => stale.push(each));
    await change(path);
    await waitFor(() => expect(stale).toContain(path));
    expect(at.host.documents()).toMatchObject([{ path, dirty: true }]);
    const saving = at.host.save(path).catch(() => ({ saved: false }));
    expect(await saving).toMatchObject({ saved: false });
  });
});

test("a document that is text again can be opened again", async () => {
  const path = await write("a.txt", "old");
  await at.host.open(path);
  await write("a.txt", new Uint8Array([0]));
  await waitFor(() => expect(at.host.documents()).toEqual([]));
  await write("a.txt", "new");
  await at.host.select(path, FIRST);
  expect(at.host.selection("latest")?.ranges[0]?.text).toBe("new");
});
