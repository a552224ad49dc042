import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { useFolder } from "../../../../tests/src/folder-fixture.ts";

const at = useFolder();
const { write, waitFor } = at;
const SECOND = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };

const selected = () => {
  const [first] = at.host.selection("latest")?.ranges ?? [];
  return first && `${first.start.line} ${first.text}`;
};

test("a selection follows its text when another program inserts lines above and below it", async () => {
  const path = await write("a.txt", "one\ntwo\nthree\n");
  await at.host.select(path, SECOND);
  await write("a.txt", "zero\none\ntwo\nthree\nfour\n");
  await waitFor(() => expect(selected()).toBe("2 two\n"));
});

test("a selection follows its text when unsaved text is typed, saved and reverted", async () => {
  const path = await write("a.txt", "one\ntwo\nthree\n");
  await at.host.select(path, SECOND);
  await at.host.edit(path, "two\nthree\n");
  expect(selected()).toBe("0 two\n");
  await at.host.revert(path);
  expect(selected()).toBe("1 two\n");
});

test.each([true, false])("closing a document ends its selection, unsaved: %s", async (dirty) => {
  const path = await write("a.txt", "one\ntwo\nthree\n");
  await at.host.select(path, SECOND);
  if (dirty) await at.host.edit(path, "unsaved");
  let emitted = 0;
  at.host.on("selection", () => {
    emitted += 1;
  });
  await at.host.closeDocument(path, { discard: true });
  expect([selected(), emitted]).toEqual([undefined, 1]);
});

test("a selection ends with its file", async () => {
  const path = await write("a.txt", "one\ntwo\nthree\n");
  await at.host.select(path, SECOND);
  await rm(path);
  await waitFor(() => expect(selected()).toBe(undefined));
});
