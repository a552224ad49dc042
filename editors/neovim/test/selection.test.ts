import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { Neovim, type NeovimOptions } from "./neovim.ts";

async function open(text: string, options: NeovimOptions = {}, file = "a.txt") {
  const workspace = openWorkspace();
  const path = write(workspace, file, text);
  const neovim = new Neovim(workspace, { args: [file], ...options });
  await neovim.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const selected = (wanted: string) =>
    client.until(`the selection ${wanted}`, () => client.inbox.context?.text === wanted);
  return { workspace, path, neovim, client, selected };
}

test("characters are selected in UTF-16 units, whatever they are and in whatever direction", async () => {
  const { neovim, client, selected } = await open("a 🚀 ü b\nnext\n");
  neovim.keys("0", "l", "l", "v", "l");
  await selected("🚀 ");
  neovim.keys("Escape", "$", "v", "F", "ü");
  await selected("ü b");
  neovim.keys("Escape", "g", "g", "$", "v", "j", "0");
  await selected("b\nn");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection that visual mode leaves behind stands until the cursor moves", async () => {
  const { neovim, client, selected } = await open("one\ntwo\n");
  neovim.keys("v", "l", "Escape");
  await selected("on");
  neovim.keys("j");
  await client.until("the cursor alone", () => client.badge === "⧉ In a.txt");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a block is several ranges, cut at screen columns", async () => {
  const { neovim, client } = await open("\tabc\nü1234567890\nshort\n");
  neovim.keys("0", "w", "C-v", "j", "l");
  const ranges = 'vim.json.encode(require("idewire.selection").current().ranges)';
  await neovim.until(`${ranges}:match('"text":"(..)"')`, "ab");
  expect(JSON.parse(neovim.lua(ranges))).toMatchObject([
    { start: { line: 0, character: 1 }, end: { line: 0, character: 3 }, text: "ab" },
    { start: { line: 1, character: 8 }, end: { line: 1, character: 10 }, text: "89" },
  ]);
  await client.exit();
});

test("in a terminal the last selection stays, and is not current", async () => {
  const { neovim, client, selected } = await open("one\ntwo\n");
  neovim.keys("V");
  await selected("one");
  neovim.command("\u0015terminal");
  await neovim.until("vim.bo.buftype", "terminal");
  expect(neovim.lua('require("idewire.selection").current()')).toBe("nil");
  expect(client.inbox.context?.text).toBe("one");
  await client.exit();
});

test("three thousand cursor moves send at most twenty states a second", async () => {
  const { neovim, client } = await open("word ".repeat(4000), {
    lua: `
      local rpc = require("idewire.rpc")
      local spawn = rpc.spawn
      Count = 0
      rpc.spawn = function(...)
        local connection = spawn(...)
        local notify = connection.notify
        connection.notify = function(self, method, params)
          if method == "host/state" then Count = Count + 1 end
          return notify(self, method, params)
        end
        return connection
      end`,
  });
  const before = Number(neovim.lua("Count"));
  const started = performance.now();
  for (let round = 0; round < 30; round += 1) neovim.keys("-N", "100", "l");
  await neovim.until("vim.fn.col('.')", "3001");
  const seconds = (performance.now() - started) / 1000;
  expect(Number(neovim.lua("Count")) - before).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 1);
  await client.exit();
});

test("names with spaces, quotes, newlines and patterns are files like any other", async () => {
  const workspace = openWorkspace();
  const name = "a %#$*[x] 'q\" \\ \n b.txt";
  write(workspace, name, "inside\n");
  write(workspace, "a.txt", "first\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const shown = await client.callAsModel("openFile", { filePath: join(workspace.folder, name) });
  expect(shown).toBeDefined();
  await neovim.shows("inside");
  neovim.keys("V");
  await client.until("the selection", () => client.inbox.context?.text === "inside");
  const edit = client.edit(join(workspace.folder, name), "other\n");
  await neovim.shows("proposed by Claude Code");
  neovim.command("w");
  expect(await edit.result).toMatchObject({ by: "ide", written: "other\n" });
  await neovim.shows("other");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("lines and files are sent to the agent by command", async () => {
  const { neovim, client } = await open("one\ntwo\nthree\n");
  neovim.command("2,3Idewire send");
  await client.until("the mention", () => client.promptInput.includes("a.txt#L2-3"));
  await neovim.shows("idewire: sent a.txt 2-3 to Claude Code");
  await client.exit();
  await neovim.until("#require('idewire').status().agents", "0");
  neovim.command("Idewire send");
  await neovim.shows("idewire: no agent is connected");
  expect(client.violations).toEqual([]);
});

test("the share level is changed by command, and withdraws what was shared", async () => {
  const { neovim, client, selected } = await open("one\ntwo\n");
  neovim.keys("V");
  await selected("one");
  neovim.command("\u0015Idewire share off");
  await client.until("nothing", () => client.badge === undefined);
  await neovim.shows("idewire: agents may know: off");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection follows its text when lines are inserted above it, also while the focus is elsewhere", async () => {
  const { neovim, client, selected } = await open("one\ntwo\nthree\n");
  const start = () => client.inbox.context?.startLine ?? 0;
  neovim.keys("j", "V", "Escape");
  await selected("two");
  const first = start();
  const insert = 'vim.api.nvim_buf_set_lines(1, 0, 0, false, {"zero"})';
  neovim.command(`lua ${insert}`);
  await client.until("the selection below", () => start() === first + 1);
  expect(client.inbox.context?.text).toBe("two");
  neovim.command("terminal");
  await neovim.until("vim.bo.buftype", "terminal");
  neovim.lua(insert);
  await client.until("the selection further below", () => start() === first + 2);
  expect(client.inbox.context?.text).toBe("two");
  await client.exit();
});

test("positions beyond a line or the file lead to their ends", async () => {
  const { neovim, client, path } = await open("one\ntwo\n");
  const line = 99;
  const request = `require("idewire.requests")["host/select"]`;
  const range = `{ start = { line = 0, character = 99 }, ["end"] = { line = ${line}, character = 9 } }`;
  neovim.command(`lua ${request}{ path = ${JSON.stringify(path)}, range = ${range} }`);
  await neovim.until("vim.api.nvim_get_mode().mode", "v");
  await neovim.until("vim.fn.line('.')", "2");
  expect(neovim.lua("vim.fn.col('v')")).toBe("3");
  await client.exit();
});

test("five megabytes are selected without a stall", async () => {
  const { neovim, client } = await open(`${"x".repeat(99)}\n`.repeat(50_000));
  neovim.keys("V", "G");
  await client.until("the selection", () => (client.inbox.context?.text?.length ?? 0) > 90_000);
  const read = 'require("idewire.selection").current';
  neovim.command("\u0015lua local s = vim.loop.hrtime()");
  neovim.keys("g", "v");
  const ms = `(function() local s = vim.loop.hrtime(); ${read}(); return (vim.loop.hrtime() - s) / 1e6 end)()`;
  expect(Number(neovim.lua(ms))).toBeLessThan(100);
  await client.exit();
});

test("what agents were sent is shown to the letter", async () => {
  const { neovim, client, selected } = await open("one\ntwo\n");
  neovim.keys("V");
  await selected("one");
  expect(neovim.lua("#require('idewire').sent() > 2")).toBe("true");
  neovim.keys("Escape");
  neovim.command("Idewire sent");
  await neovim.shows(/to Claude Code[\s\S]*"method":"selection_changed"[\s\S]*"text":"one"/);
  await client.exit();
});
