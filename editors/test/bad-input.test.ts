import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { write } from "../../tests/src/reference-clients/serve-context.ts";
import type { EditorOptions } from "./editor.ts";
import { kind } from "./kind.ts";
import { openSession } from "./session.ts";

const open = (text: string, options: EditorOptions = {}) =>
  openSession((workspace, file) => kind.start(workspace, { files: [file], ...options }), text);

test("half a surrogate pair in a proposal is shown and accepted as U+FFFD", async () => {
  const { path, editor, client } = await open("one\n");
  const edit = client.edit(path, "a\ud83db\n");
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "a\ufffdb\n" });
  await client.exit();
});

test("invalid UTF-8 is sent as other characters, and so is the text after it", async () => {
  const { workspace, editor, client, selected } = await open("one\n");
  writeFileSync(join(workspace.folder, "b.txt"), Buffer.from("a \xff\xfe\x80 b\ntwo\n", "latin1"));
  editor.openFile("b.txt");
  await client.until("the file", () => client.inbox.context?.filePath?.endsWith("b.txt") === true);
  editor.selectLine();
  await client.until("the line", () => /^a .+ b$/.test(client.inbox.context?.text ?? ""));
  editor.endSelection();
  editor.down();
  editor.selectLine();
  await selected("two");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a file with NUL is not sent to agents, and a proposal with NUL is decided as usual", async () => {
  const { workspace, path, editor, client } = await open("one\n");
  const edit = client.edit(join(workspace.folder, "nul.txt"), "a\u0000b\n");
  await client.until("an end", () => edit.asking !== undefined || editor.read("pending") === 1);
  if (editor.read("pending") === 1) editor.acceptByName();
  else edit.answerInTerminal("accept");
  expect((await edit.result).written).toBe("a\u0000b\n");
  writeFileSync(path, "o\u0000e\n");
  editor.openFile("nul.txt");
  await editor.until("isFile", false);
  await client.exit();
});

test("a file over sixteen megabytes is not sent, and does not block typing", async () => {
  const { workspace, editor, client } = await open("one\n", { share: "all" });
  write(workspace, "huge.txt", `${"x".repeat(99)}\n`.repeat(180_000));
  editor.openFile("huge.txt");
  await editor.until("isFile", false);
  editor.typeAtEnd("my words");
  await editor.shows("my words");
  expect(client.inbox.context?.filePath ?? "").not.toContain("huge");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a proposed new file is an ordinary file once it is written", async () => {
  const { workspace, editor, client } = await open("one\n");
  write(workspace, "new/other.txt", "");
  const path = join(workspace.folder, "new", "b.txt");
  const edit = client.edit(path, "new\n");
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "new\n" });
  expect(readFileSync(path, "utf8")).toBe("new\n");
  editor.openFile("new/b.txt");
  await client.until("the file", () => client.badge === "⧉ In b.txt");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a file behind a link is sent under its real name", async () => {
  const { workspace, editor, client } = await open("one\n");
  const real = write(workspace, "real/b.txt", "two\n");
  symlinkSync(join(workspace.folder, "real"), join(workspace.folder, "link"));
  editor.openFile("link/b.txt");
  await client.until("the file", () => client.inbox.context?.filePath === real);
  await client.exit();
  expect(client.violations).toEqual([]);
});
