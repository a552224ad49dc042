import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace, write } from "../../../tests/src/reference-clients/serve-context.ts";
import { openSession } from "../../test/session.ts";
import { neovim as kind, lua, Neovim } from "./neovim.ts";

test("no key press is requested for a file that another Neovim has open", async () => {
  const { workspace, editor, client } = await openSession(
    (workspace, file) => new Neovim(workspace, { files: [file] }),
    "one\n",
  );
  const path = write(workspace, "b.txt", "two\n");
  const other = new Neovim(workspace, { files: ["b.txt"], setup: "auto_start = false" });
  await other.shows("two");
  other.typeAtEnd("not saved");
  other.endTyping();
  other.command("preserve");
  await other.untilValue("vim.fn.filereadable(vim.fn.swapname(1))", "1");
  await client.callAsModel("openFile", { filePath: path });
  await editor.shows("two");
  expect(editor.evaluate("vim.api.nvim_get_mode().blocking")).toBe("false");
  const edit = client.edit(path, "TWO\n");
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "TWO\n" });
  await editor.shows("TWO");
  await client.exit();
});

const server = `
let rest = Buffer.alloc(0);
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
const answers = {
  initialize: { capabilities: { textDocumentSync: 1, documentFormattingProvider: true } },
  "textDocument/formatting": [{ newText: "formatted\\n",
    range: { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } } }],
  shutdown: null,
};
process.stdin.on("data", (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (;;) {
    const head = /Content-Length: (\\d+)\\r\\n\\r\\n/.exec(rest.toString("latin1"));
    const end = head && head.index + head[0].length + Number(head[1]);
    if (!head || rest.length < end) return;
    const { id, method } = JSON.parse(rest.subarray(head.index + head[0].length, end));
    rest = rest.subarray(end);
    if (method === "exit") process.exit();
    if (id !== undefined) send({ id, result: answers[method] ?? null });
  }
});`;

test("a language server formats, and its root is the folder of a file outside a project", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const script = join(workspace.fixture.root, "server.cjs");
  writeFileSync(script, server);
  const start = `vim.api.nvim_create_autocmd("BufReadPost", { callback = function(args)
    local id = vim.lsp.start_client{ cmd = { ${lua(process.execPath)}, ${lua(script)} }, root_dir = ${lua(workspace.folder)} }
    vim.lsp.buf_attach_client(args.buf, id) end })`;
  const editor = new Neovim(workspace, {
    files: [join(workspace.folder, "a.txt")],
    cwd: workspace.env.HOME,
    code: start,
  });
  await editor.shows("one");
  await editor.untilValue("#(vim.lsp.get_clients or vim.lsp.get_active_clients)()", "1");
  editor.command("Idewire start");
  await editor.untilListening();
  expect(editor.evaluate('vim.inspect(require("idewire.folders").list())')).toContain(
    workspace.folder,
  );
  const format = `require("idewire.requests")["host/format"]{ path = ${lua(join(workspace.folder, "a.txt"))} }`;
  await expect
    .poll(() => {
      editor.evaluate(`pcall(function() ${format} end)`);
      return editor.read("text");
    })
    .toBe("formatted");
  editor.command("w");
  await expect
    .poll(() => readFileSync(join(workspace.folder, "a.txt"), "utf8"))
    .toBe("formatted\n");
});
