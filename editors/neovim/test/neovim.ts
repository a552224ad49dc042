import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtBin } from "../../../tests/src/line-program.ts";
import type { Workspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "../../../tests/src/reference-clients/transcript.ts";
import { EditorTerminal, findEditor, type TerminalOptions } from "../../terminal.ts";

const plugin = fileURLToPath(new URL("..", import.meta.url));

/** The first line of `nvim --version`; undefined where Neovim, or tmux to drive it, is missing. */
export function findNeovim(): string | undefined {
  return findEditor("nvim");
}

export interface NeovimOptions extends TerminalOptions {
  /** What is given to nvim, such as names of files. */
  readonly args?: readonly string[];
  /** Lua in the braces of `setup{}`. */
  readonly setup?: string;
  /** Lua to run after the setup. */
  readonly lua?: string;
}

/** A Neovim in a terminal. */
export class Neovim extends EditorTerminal {
  readonly #server: string;

  constructor(workspace: Workspace, options: NeovimOptions = {}) {
    const { root } = workspace.fixture;
    const name = randomBytes(6).toString("hex");
    const init = join(root, `${name}.lua`);
    const server = join(root, `${name}.sock`);
    const command = [process.execPath, builtBin].map((word) => JSON.stringify(word)).join(", ");
    writeFileSync(
      init,
      [
        `vim.opt.rtp:prepend(${JSON.stringify(plugin)})`,
        `require("idewire").setup{ command = { ${command} }, ${options.setup ?? ""} }`,
        options.lua ?? "",
      ].join("\n"),
    );
    const words = ["nvim", "--clean", "-u", init, "--listen", server, ...(options.args ?? [])];
    super(workspace, words, options);
    this.#server = server;
  }

  /** The process id of Neovim. */
  get pid(): number {
    return Number(this.lua("vim.fn.getpid()"));
  }

  /** Types a command and presses Enter. */
  command(text: string): void {
    this.type(`:${text}`);
    this.keys("Enter");
  }

  /** The value of a Lua expression, as text. */
  lua(expression: string): string {
    const luaeval = `luaeval(${JSON.stringify(`tostring(${expression})`)})`;
    const { stdout, stderr } = spawnSync(
      "nvim",
      ["--server", this.#server, "--remote-expr", luaeval],
      { encoding: "utf8", timeout: 5_000 },
    );
    // Neovim 0.7 prints it to stderr.
    return (stdout || stderr).trim();
  }

  async until(expression: string, value: string): Promise<void> {
    const check = () => this.lua(expression) === value;
    await until(
      `${expression} to be ${value}`,
      check,
      TIMEOUT_MS,
      () => `${this.lua(expression)}\n${this.screen}`,
    );
  }

  /** Waits until agents can find it. */
  untilListening(): Promise<void> {
    return this.until('require("idewire").status().state', "listening");
  }
}
