import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DiffAnswer } from "../../../tests/src/editor-contract.ts";
import { builtBin } from "../../../tests/src/line-program.ts";
import type { Workspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { Editor, type EditorKind, type EditorOptions, type Facts } from "../../test/editor.ts";

const plugin = fileURLToPath(new URL("..", import.meta.url));

export interface NeovimOptions extends EditorOptions {
  /** Lua in the braces of `setup{}`. */
  readonly setup?: string;
}

/** A text as a Lua string literal. */
export function lua(text: string): string {
  return JSON.stringify(text).replace(/\\u([0-9a-f]{4})/g, "\\u{$1}");
}

const facts: Readonly<Record<keyof Facts, string>> = {
  state: 'require("idewire").status().state',
  hostPid: 'require("idewire.host").pid()',
  editorPid: "vim.fn.getpid()",
  pending: '#require("idewire").diffs()',
  agents: '#require("idewire").status().agents',
  windows: "#vim.api.nvim_list_wins()",
  text: 'table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")',
  isFile: 'require("idewire.buffers").path(vim.api.nvim_get_current_buf()) ~= nil',
  isCurrent: 'require("idewire.selection").current() ~= nil',
  ranges: 'require("idewire.selection").current().ranges',
  notices: 'vim.fn.execute("messages")',
  sentStates: "Count",
  column: 'vim.fn.col(".") - 1',
  readMs:
    '(function() local s = os.clock() require("idewire.selection").current() return (os.clock() - s) * 1e3 end)()',
};

/** A Neovim in a terminal. */
export class Neovim extends Editor {
  readonly #server: string;

  constructor(workspace: Workspace, options: NeovimOptions = {}) {
    const { root } = workspace.fixture;
    const name = randomBytes(6).toString("hex");
    const init = join(root, `${name}.lua`);
    const server = join(root, `${name}.sock`);
    const command = (options.command ?? [process.execPath, builtBin]).map(lua).join(", ");
    const share = options.share === undefined ? "" : `share = ${lua(options.share)},`;
    const diffs = options.reviews === false ? 'diffs = "off",' : "";
    const setup = `command = { ${command} }, ${share} ${diffs} ${options.setup ?? ""}`;
    writeFileSync(
      init,
      [
        `vim.opt.rtp:prepend(${lua(plugin)})`,
        `require("idewire").setup{ ${setup} }`,
        options.code ?? "",
      ].join("\n"),
    );
    super(
      workspace,
      ["nvim", "--clean", "-u", init, "--listen", server, ...(options.files ?? [])],
      options,
    );
    this.#server = server;
  }

  /** Types a command and presses Enter. */
  command(text: string): void {
    this.type(`:${text}`);
    this.keys("Enter");
  }

  evaluate(expression: string): string {
    const luaeval = `luaeval(${JSON.stringify(`tostring(${expression})`)})`;
    const { stdout, stderr } = spawnSync(
      "nvim",
      ["--server", this.#server, "--remote-expr", luaeval],
      { encoding: "utf8", timeout: 5_000 },
    );
    // Neovim 0.7 prints it to stderr.
    return (stdout || stderr).trim();
  }

  protected expressionOf(fact: keyof Facts): string {
    return `vim.json.encode({ ${facts[fact]} })`;
  }

  protected parse(evaluated: string): unknown {
    return (JSON.parse(evaluated) as unknown[])[0];
  }

  right(count: number): void {
    this.keys("-N", String(count), "l");
  }

  down(): void {
    this.keys("j");
  }

  selectRight(count: number): void {
    this.keys("v", ...repeated("l", count - 1));
  }

  selectFromEnd(count: number): void {
    this.keys("$", "v", ...repeated("h", count - 1));
  }

  selectLine(): void {
    this.keys("V");
  }

  selectTwoLines(): void {
    this.keys("V", "j");
  }

  selectAll(): void {
    this.keys("g", "g", "V", "G");
  }

  selectBlock(width: number, height: number): void {
    this.keys("C-v", ...repeated("j", height - 1), ...repeated("l", width - 1));
  }

  endSelection(): void {
    this.keys("Escape");
  }

  leaveFile(): void {
    this.command("\u0015terminal");
  }

  openFile(name: string): void {
    this.command(`edit ${name}`);
  }

  typeAtEnd(text: string): void {
    this.keys("G", "o");
    this.type(text);
  }

  endTyping(): void {
    this.keys("Escape");
  }

  splitWindow(): void {
    this.command("vsplit");
  }

  insertAbove(line: string): void {
    this.evaluate(`vim.api.nvim_buf_set_lines(1, 0, 0, false, { ${lua(line)} })`);
  }

  quit(): void {
    this.command("quitall!");
  }

  accept(): void {
    this.command("w");
  }

  acceptByName(): void {
    this.command("Idewire accept");
  }

  reject(): void {
    this.command("Idewire reject");
  }

  listDiffs(): void {
    this.command("Idewire diffs");
  }

  appendToProposal(line: string): void {
    this.keys("G", "o");
    this.type(line);
    this.keys("Escape");
  }

  discardProposal(): void {
    this.command("bwipeout!");
  }

  sendTwoLines(): void {
    this.command("2,3Idewire send");
  }

  sendFile(): void {
    this.command("Idewire send");
  }

  share(level: string): void {
    this.command(`\u0015Idewire share ${level}`);
  }

  showSent(): void {
    this.command("\u0015Idewire sent");
  }

  runAgent(): void {
    this.command("Idewire run");
  }

  leaveAgent(): void {
    this.keys("C-\\", "C-n");
  }

  edit(path: string, text: string, where: "above" | "all"): void {
    const lines = text.replace(/\n$/, "").split("\n").map(lua).join(", ");
    const load = `require("idewire.buffers").load(${lua(path)})`;
    const last = where === "all" ? -1 : 0;
    this.evaluate(`vim.api.nvim_buf_set_lines(${load}, 0, ${last}, false, { ${lines} })`);
    this.evaluate('require("idewire.state").flush()');
  }

  /** Neovim does not move the start of visual mode when lines are inserted above. */
  deselect(): Promise<void> {
    this.keys("Escape");
    return this.untilValue("vim.api.nvim_get_mode().mode", "n");
  }

  answer(id: string, answer: DiffAnswer): boolean {
    const diffs = 'require("idewire.diffs")';
    const act = {
      accepted: `require("idewire.text").fill(diff.buf, text) ${diffs}.accept(${lua(id)})`,
      rejected: `${diffs}.reject(${lua(id)})`,
      closed: "vim.api.nvim_buf_delete(diff.buf, { force = true })",
    }[answer.kind];
    const text = answer.kind === "accepted" ? answer.text : "";
    const body = `local diff, text = ${diffs}.get(${lua(id)}), ${lua(text)} if not diff then return false end ${act} return true`;
    return this.evaluate(`(function() ${body} end)()`) === "true";
  }
}

function repeated(key: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => key);
}

const countsStates = `
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
  end`;

const reportsProblem = `vim.api.nvim_create_autocmd("BufReadPost", { callback = function(args)
  vim.diagnostic.set(vim.api.nvim_create_namespace("t"), args.buf,
    { { lnum = 0, col = 0, end_col = 3, message = "wrong", severity = 1 } }) end })`;

/** Runs Neovim with the configuration of a workspace's home, and prints a Lua expression. */
function evaluateIn({ env, folder }: Workspace, init: string, expression: string): string {
  const config = join(env.HOME, ".config/nvim");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "init.lua"), init);
  const print = `lua io.stdout:write(tostring(${expression}))`;
  const { PATH = "" } = process.env;
  const { stdout } = spawnSync("nvim", ["--headless", "-c", print, "-c", "quitall!"], {
    encoding: "utf8",
    cwd: folder,
    env: { ...env, PATH },
  });
  return stdout;
}

export const neovim: EditorKind = {
  name: "Neovim",
  word: "neovim",
  program: "nvim",
  start: (workspace, options) => new Neovim(workspace, options),
  review: "proposed by Claude Code",
  diffsCommand: ":Idewire diffs",
  hidings: [
    ["closing the window of the proposal", (editor) => quitWindow(editor, "l")],
    ["closing the window of the file", (editor) => quitWindow(editor, "h")],
  ],
  countsStates,
  reportsProblem,
  entry: "lua/idewire/init.lua",
  versions: [{ file: "lua/idewire/version.lua", pattern: /own = "([^"]+)"/ }],
  place: ".local/share/nvim/site/pack/idewire/start/idewire",
  configuredState: (workspace, [, ...init]) =>
    evaluateIn(workspace, init.join("\n"), 'require("idewire").status().state'),
};

function quitWindow(editor: Editor, direction: "h" | "l"): void {
  editor.type(`:wincmd ${direction} | q`);
  editor.keys("Enter");
}
