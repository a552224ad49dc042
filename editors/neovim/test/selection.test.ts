import { expect, test } from "vitest";
import { openSession } from "../../test/session.ts";
import { Neovim } from "./neovim.ts";

const open = (text: string) =>
  openSession((workspace, file) => new Neovim(workspace, { files: [file] }), text);

test("a block is cut at screen columns", async () => {
  const { editor, client } = await open("\tabc\nü1234567890\nshort\n");
  editor.keys("0", "w", "C-v", "j", "l");
  await expect
    .poll(() => editor.read("ranges"))
    .toMatchObject([
      { start: { line: 0, character: 1 }, end: { line: 0, character: 3 }, text: "ab" },
      { start: { line: 1, character: 8 }, end: { line: 1, character: 10 }, text: "89" },
    ]);
  await client.exit();
});

test("characters are selected over the end of a line, and to a character by its name", async () => {
  const { editor, client, selected } = await open("a 🚀 ü b\nnext\n");
  editor.keys("$", "v", "F", "ü");
  await selected("ü b");
  editor.keys("Escape", "g", "g", "$", "v", "j", "0");
  await selected("b\nn");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("positions beyond a line or the file are clamped to their ends", async () => {
  const { editor, client, path } = await open("one\ntwo\n");
  const request = `require("idewire.requests")["host/select"]`;
  const range = `{ start = { line = 0, character = 99 }, ["end"] = { line = 99, character = 9 } }`;
  editor.command(`lua ${request}{ path = ${JSON.stringify(path)}, range = ${range} }`);
  await editor.untilValue("vim.api.nvim_get_mode().mode", "v");
  await editor.untilValue("vim.fn.line('.')", "2");
  expect(editor.evaluate("vim.fn.col('v')")).toBe("3");
  await client.exit();
});
