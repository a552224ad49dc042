import { expect, test } from "vitest";
import { createSourceReader } from "../anchors/syntax/parsers.ts";
import { readGrammarFile } from "../grammar-files.ts";
import { readExport } from "../import/read-export.ts";
import type { UnreadableFile } from "../store/comment-requests.ts";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { exportComments, exportFormats } from "./export-comments.ts";

const unexpected = ({ error }: UnreadableFile): never => {
  throw error;
};

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
  return { store, workspace, ids: [await add(1), await add(2)] as const };
}

test("a review and the training data include the replies of comments", async () => {
  const { store, ids } = await makeStore();
  const reply = { text: "# no\n```", author: "b*b", created: "2026-01-01T00:00:00Z" };
  await store.edit(filePath, ids[0], { replies: [{ id: "r_1", ...reply }] });
  expect((await exportOf(store, "markdown")).text).toContain(
    "· open\n\nReply by b\\*b · 2026-01-01T00:00:00Z\n\n````text\n# no\n```\n````\n",
  );
  const { text } = await exportOf(store, "jsonl");
  const rows = text
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row));
  expect(rows.map(({ metadata }) => metadata.replies)).toEqual([[reply], []]);
});

type KeptFile = Record<string, unknown> & { readonly comments: readonly object[] };

/** Another program has changed the file of the comments. */
async function makeChanged(change: (file: KeptFile) => void) {
  const { workspace, store, ids } = await makeStore();
  const path = `${filePath}.comments`;
  const file: KeptFile = JSON.parse(workspace.files.get(path) ?? "");
  change(file);
  workspace.files.set(path, JSON.stringify(file).replaceAll('"DEEP"', deep));
  return { store, ids };
}

const deep = `${"[".repeat(5_000)}"${key}"${"]".repeat(5_000)}`;

async function exportOf(store: CommentStore, format: (typeof exportFormats)[number]) {
  const exported = await exportComments(store.each(unexpected), { format });
  return { ...exported, text: Buffer.from(exported.content).toString() };
}

test.each(exportFormats)(
  "%s omits and names a comment with a secret in a reply",
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

test.each(exportFormats)("%s omits and names a comment on a line with a secret", async (format) => {
  const { store, ids } = await makeStore(`login("${key}");\n\n\ntwo();\n`);
  await store.move(filePath, ids[1], { filePath, line: 4 });
  const exported = await exportOf(store, format);
  expect(exported.withheld).toEqual([{ id: ids[0], filePath }]);
  expect(exported.text).not.toContain(key);
});

test.each([
  ["as the name of a member", { [key]: 1 }],
  ["as a member that is named password", { password: "hunter2hunter2hunter2" }],
])("a comment with a secret %s is omitted and named", async (_, vendor) => {
  const { store, ids } = await makeChanged(({ comments }) => {
    Object.assign(comments[0] ?? {}, { vendor });
  });
  const exported = await exportOf(store, "json");
  expect(exported.withheld).toEqual([{ id: ids[0], filePath }]);
  expect(exported.text).not.toContain("vendor");
});

test("a field of the whole file with a secret is omitted and named, the comments are not", async () => {
  const { store } = await makeChanged((file) => {
    Object.assign(file, { vendor: { note: key }, kept: { note: "harmless" }, [key]: 1 });
  });
  const exported = await exportOf(store, "json");
  // The file is named, unless its name is a secret itself.
  expect(exported.withheld).toEqual([
    { id: "vendor", filePath },
    { id: "a field", filePath },
  ]);
  expect(exported.count).toBe(2);
  expect(exported.text).not.toContain(key);
  expect(JSON.parse(exported.text)).toMatchObject({ files: [{ kept: { note: "harmless" } }] });
  const whole = await exportComments(store.each(unexpected), { format: "json", withSecrets: true });
  expect(whole.withheld).toEqual([]);
  expect(JSON.parse(String(whole.content))).toMatchObject({ files: [{ vendor: { note: key } }] });
  for (const format of ["markdown", "jsonl", "parquet"] as const) {
    expect((await exportOf(store, format)).withheld).toEqual([]);
  }
});

test("an outline with a name that looks like a secret is omitted and named", async () => {
  const source = `one();\ntwo();\n\n\nfunction ${key}() {}\n`;
  const { store, ids } = await makeStore(source);
  const exported = await exportOf(store, "json");
  expect(exported.withheld).toEqual([{ id: "outline", filePath }]);
  expect(exported.text).not.toContain(key);
  const { files } = readExport(exported.text, 0);
  expect(files[0]?.document.comments.map(({ id }) => id)).toEqual(ids);
});

test("a comment in a declaration whose name became a secret is omitted and named", async () => {
  const sourceOf = (name: string) =>
    `function ${name}() {\n  two(2);\n  three(3);\n  four(4);\n}\n\n\n\nfive();\n`;
  const { store, workspace, ids } = await makeStore(sourceOf("f"));
  await store.move(filePath, ids[0], { filePath, line: 9 });
  workspace.files.set(filePath, sourceOf(key));
  const exported = await exportOf(store, "parquet");
  expect(exported.withheld).toEqual([{ id: ids[1], filePath }]);
  expect(exported.text).not.toContain(key);
});

test("a field of another program is searched for secrets at any depth", async () => {
  const { store, ids } = await makeChanged(({ comments }) => {
    Object.assign(comments[0] ?? {}, { vendor: "DEEP" });
  });
  const exported = await exportOf(store, "markdown");
  expect(exported.withheld).toEqual([{ id: ids[0], filePath }]);
  expect(exported.count).toBe(1);
});
