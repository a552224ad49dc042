import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { exportComments, exportFormats } from "./export-comments.ts";

const reader = createSourceReader(readGrammarFile);
const key = "AKIAABCDEFGHIJKLMNOP";
const filePath = "a.js";

async function makeStore(source = "one();\ntwo();\n") {
  const workspace = createMemoryWorkspace({ [filePath]: source });
  const store = new CommentStore({ workspace, reader });
  const add = async (line: number) => {
    const wanted = { filePath, line, text: "harmless", tag: "NOTE", author: "ann" } as const;
    return (await store.add(wanted)).comment.id;
  };
  return { store, ids: [await add(1), await add(2)] as const };
}

async function exportOf(store: CommentStore, format: (typeof exportFormats)[number]) {
  const exported = await exportComments(store.each(), { format });
  return { ...exported, text: Buffer.from(exported.content).toString("latin1") };
}

test.each(exportFormats)(
  "%s leaves out and names a comment with a secret in a reply",
  async (format) => {
    const { store, ids } = await makeStore();
    const reply = { id: "r_1", text: `use ${key}`, author: "bob", created: "2026-01-01T00:00:00Z" };
    await store.edit(filePath, ids[0], { replies: [reply] });
    const exported = await exportOf(store, format);
    expect(exported.withheld).toEqual([{ id: ids[0], filePath }]);
    expect(exported.count).toBe(1);
    expect(exported.text).not.toContain(key);
  },
);

test.each(exportFormats)(
  "%s leaves out and names a comment on a line with a secret",
  async (format) => {
    const { store, ids } = await makeStore(`login("${key}");\n\n\ntwo();\n`);
    await store.move(filePath, ids[1], { filePath, line: 4 });
    const exported = await exportOf(store, format);
    expect(exported.withheld).toEqual([{ id: ids[0], filePath }]);
    expect(exported.text).not.toContain(key);
  },
);
