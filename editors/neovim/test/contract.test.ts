import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  type DiffAnswer,
  editorHostContract,
  listenForEditor,
  posixPath,
} from "../../../tests/src/editor-contract.ts";
import { openWorkspace, write } from "../../../tests/src/reference-clients/serve-context.ts";
import { Neovim } from "./neovim.ts";

// The laws of every host, for Neovim behind the host protocol.

const bridge = fileURLToPath(new URL("../../socket-host.mjs", import.meta.url));

const lua = (value: string) => JSON.stringify(value).replace(/\\u([0-9a-f]{4})/g, "\\u{$1}");

async function openNeovim() {
  const workspace = openWorkspace();
  write(workspace, "other.txt", "other\n");
  const text = "one\ntwo ü\n";
  const path = posixPath(write(workspace, "a.txt", text));
  const socket = join(workspace.fixture.root, "host.sock");
  const { editor, close } = await listenForEditor(socket);
  const command = [process.execPath, bridge].map((word) => JSON.stringify(word)).join(", ");
  const neovim = new Neovim(workspace, {
    args: ["other.txt"],
    env: { IDEWIRE_TEST_SOCKET: socket },
    lua: `require("idewire").setup{ command = { ${command} } }`,
  });
  return { neovim, host: await editor, file: { path, text }, close };
}

/** Answers a diff as the person, with the buffer as it has to be. */
function answerIn(neovim: Neovim, id: string, answer: DiffAnswer): boolean {
  const diffs = 'require("idewire.diffs")';
  const act = {
    accepted: `require("idewire.text").fill(diff.buf, text) ${diffs}.accept(${lua(id)})`,
    rejected: `${diffs}.reject(${lua(id)})`,
    closed: "vim.api.nvim_buf_delete(diff.buf, { force = true })",
  }[answer.kind];
  const text = answer.kind === "accepted" ? answer.text : "";
  const body = `local diff, text = ${diffs}.get(${lua(id)}), ${lua(text)} if not diff then return false end ${act} return true`;
  return neovim.lua(`(function() ${body} end)()`) === "true";
}

editorHostContract(
  { test, expect },
  {
    name: "Neovim",
    async makeHost() {
      const { neovim, host, file, close } = await openNeovim();
      return {
        host,
        file,
        async edit(path, text) {
          const inserted = text.endsWith(file.text) ? text.slice(0, -file.text.length) : text;
          const last = inserted === text ? -1 : 0;
          const lines = inserted.replace(/\n$/, "").split("\n").map(lua).join(", ");
          const load = `require("idewire.buffers").load(${lua(path)})`;
          neovim.lua(`vim.api.nvim_buf_set_lines(${load}, 0, ${last}, false, { ${lines} })`);
          neovim.lua('require("idewire.state").flush()');
          await expect.poll(() => host.read(path)).toBe(text);
        },
        async select(path, range) {
          await host.select?.(path, range);
          // Neovim itself leaves the start of visual mode where it was when lines are inserted above.
          neovim.keys("Escape");
          await neovim.until("vim.api.nvim_get_mode().mode", "n");
          await expect.poll(() => host.selection("latest")?.path).toBe(path);
        },
        answer: (id, answer) => answerIn(neovim, id, answer),
        dispose() {
          close();
          neovim.close();
        },
      };
    },
  },
);
