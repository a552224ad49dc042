import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { locksOf } from "../../test/terminal.ts";
import { lua, Neovim } from "./neovim.ts";

test("another Neovim on the folder joins the first, and serves the folder after the first exits", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "b.txt", "one\n");
  const first = new Neovim(workspace, { files: ["a.txt"] });
  await first.untilListening();
  const second = new Neovim(workspace, { files: ["b.txt"] });
  await second.until("state", "joined");
  first.command("q");
  await second.untilListening();
  expect(locksOf(workspace)).toHaveLength(1);
});

test("the health report names Node, the command and the folder", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { files: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("checkhealth idewire");
  await neovim.shows(/OK:? Node v\d+/);
  await neovim.shows("listening, 0 agents");
  expect(neovim.screen).toContain(`folder ${workspace.folder}`);
});

test("a change of directory changes the folders", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "sub/b.txt", "two\n");
  const neovim = new Neovim(workspace, { files: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("cd sub");
  const cwd = join(workspace.folder, "sub");
  const client = await startClient(workspace, { cwd });
  await client.untilReady();
  neovim.command("edit b.txt");
  await client.until("the file", () => client.badge === "⧉ In b.txt");
  expect(client.violations).toEqual([]);
  await client.exit();
});

/** A language server that does nothing but start. */
const languageServer = `
process.stdin.on("data", (bytes) => {
  for (const [, id] of String(bytes).matchAll(/"id":(\\d+)/g)) {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: Number(id), result: { capabilities: {} } });
    process.stdout.write("Content-Length: " + answer.length + "\\r\\n\\r\\n" + answer);
  }
});`;

test("outside a project it starts when a language server attaches, in the server's root", async () => {
  const workspace = openWorkspace();
  const { HOME } = workspace.env;
  const root = dirname(write(workspace, "a.txt", "one\n"));
  const server = join(workspace.fixture.root, "server.js");
  writeFileSync(server, languageServer);
  const neovim = new Neovim(workspace, {
    files: [join(root, "a.txt")],
    cwd: HOME,
    code: "vim.opt.updatetime = 50",
  });
  await neovim.shows("one");
  expect(neovim.read("state")).toBe("off");
  const client = `{ name = "x", cmd = { ${lua(process.execPath)}, ${lua(server)} }, root_dir = ${lua(root)} }`;
  neovim.evaluate(`vim.lsp.buf_attach_client(0, vim.lsp.start_client(${client}))`);
  // Neovim 0.7 looks for the root only when the cursor next rests.
  await neovim.untilValue("#(vim.lsp.get_clients or vim.lsp.get_active_clients)()", "1");
  neovim.down();
  await neovim.untilListening();
  const agent = await startClient(workspace, { cwd: root });
  await agent.untilReady();
  await agent.exit();
});
