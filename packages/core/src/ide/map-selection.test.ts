import { describe, expect, test } from "vitest";
import { posixPath } from "../testing/posix-path.ts";
import { InMemoryEditor } from "./editor/in-memory-editor.ts";

const path = posixPath("/notes/a.txt");
const range = (start: number, end: number) => ({
  start: { line: start, character: 0 },
  end: { line: end, character: 0 },
});

function openHost() {
  const folder = { path: posixPath("/work"), name: "work" };
  const host = new InMemoryEditor({ name: "Editor", version: "1", folder });
  host.writeFile(path, "one\ntwo\nthree\n");
  const seen: (string | undefined)[] = [];
  host.on("selection", () => {
    const [first] = host.selection("latest")?.ranges ?? [];
    seen.push(first && `${first.start.line} ${first.text}`);
  });
  return { host, seen };
}

describe("a selection follows its text", () => {
  test("through typing, saving, reverting, and a write of another program", async () => {
    const { host, seen } = openHost();
    await host.select(path, range(1, 2));
    host.edit(path, "zero\none\ntwo\nthree\n");
    await host.save(path);
    host.edit(path, "two\nthree\n");
    host.revert(path);
    host.writeFile(path, "a\nb\nc\ntwo\nthree\n");
    expect(seen).toEqual(["1 two\n", "2 two\n", "0 two\n", "2 two\n", "3 two\n"]);
  });

  test("while the focus is elsewhere", async () => {
    const { host } = openHost();
    await host.select(path, range(1, 2));
    host.blur();
    host.edit(path, "zero\none\ntwo\nthree\n");
    expect(host.selection("current")).toBe(undefined);
    expect(host.selection("latest")?.ranges).toEqual([{ ...range(2, 3), text: "two\n" }]);
  });

  test("but a text that was given with its range stays as it was given", async () => {
    const { host } = openHost();
    await host.select(path, range(40, 41), "invented");
    host.edit(path, "zero\none\ntwo\nthree\n");
    expect(host.selection("latest")?.ranges).toEqual([{ ...range(40, 41), text: "invented" }]);
  });
});

describe("the selection of a document that closes is withdrawn at once", () => {
  test.each([
    ["saved", false, false],
    ["unsaved, and discarded", true, false],
    ["with the focus elsewhere", false, true],
  ])("%s", async (_, isDirty, isBlurred) => {
    const { host, seen } = openHost();
    await host.select(path, range(1, 2));
    if (isDirty) host.edit(path, "unsaved");
    if (isBlurred) host.blur();
    host.closeDocument(path, { discard: true });
    expect(seen.at(-1)).toBe(undefined);
    expect(host.selection("latest")).toBe(undefined);
  });
});
