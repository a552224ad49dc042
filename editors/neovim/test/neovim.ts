import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { builtBin } from "../../../tests/src/line-program.ts";
import type { Workspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "../../../tests/src/reference-clients/transcript.ts";

const plugin = fileURLToPath(new URL("..", import.meta.url));

/** The first line of `nvim --version`; undefined where Neovim, or tmux to drive it, is missing. */
export function findNeovim(): string | undefined {
  const run = (program: string, flag: string) => spawnSync(program, [flag], { encoding: "utf8" });
  if (run("tmux", "-V").status !== 0) return undefined;
  const { status, stdout } = run("nvim", "--version");
  return status === 0 ? stdout.split("\n")[0] : undefined;
}

export interface NeovimOptions {
  /** What is given to nvim, such as names of files. */
  readonly args?: readonly string[];
  /** Lua in the braces of `setup{}`. */
  readonly setup?: string;
  /** Lua to run after the setup. */
  readonly lua?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A Neovim in a terminal of its own, driven by keys; prompts and a lost focus show only there. */
export class Neovim {
  /** That of tmux. */
  readonly #socket: string;
  readonly #server: string;

  constructor({ folder, env, fixture }: Workspace, options: NeovimOptions = {}) {
    const name = randomBytes(6).toString("hex");
    const init = join(fixture.root, `${name}.lua`);
    this.#socket = join(fixture.root, `${name}.tmux`);
    const command = [process.execPath, builtBin].map((word) => JSON.stringify(word)).join(", ");
    this.#server = join(fixture.root, `${name}.sock`);
    writeFileSync(
      init,
      [
        `vim.opt.rtp:prepend(${JSON.stringify(plugin)})`,
        `require("idewire").setup{ command = { ${command} }, ${options.setup ?? ""} }`,
        options.lua ?? "",
      ].join("\n"),
    );
    const variables = Object.entries({ ...env, ...options.env }).map(
      ([key, value]) => `${key}=${value}`,
    );
    const nvim = ["nvim", "--clean", "-u", init, "--listen", this.#server, ...(options.args ?? [])];
    const size = ["-x", "120", "-y", "40"];
    this.#tmux([
      "new-session",
      "-d",
      ...size,
      "-c",
      options.cwd ?? folder,
      "env",
      ...variables,
      ...nvim,
    ]);
    onTestFinished(() => this.close());
  }

  /** The process id of Neovim. */
  get pid(): number {
    return Number(this.lua("vim.fn.getpid()"));
  }

  /** Presses keys, as tmux names them: `Escape`, `C-v`, `:w`. */
  keys(...keys: readonly string[]): void {
    this.#tmux(["send-keys", ...keys]);
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux(["send-keys", "-l", "--", text]);
  }

  /** Types a command and presses Enter. */
  command(text: string): void {
    this.type(`:${text}`);
    this.keys("Enter");
  }

  get screen(): string {
    return this.#tmux(["capture-pane", "-p"]);
  }

  /** The screen with its colours, as escape sequences. */
  get colours(): string {
    return this.#tmux(["capture-pane", "-p", "-e"]);
  }

  async shows(text: string | RegExp): Promise<void> {
    const isShown = () =>
      typeof text === "string" ? this.screen.includes(text) : text.test(this.screen);
    await until(`the screen to show ${text}`, isShown, TIMEOUT_MS, () => this.screen);
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

  close(): void {
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
  }

  #tmux(args: readonly string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
    });
  }
}

/** The lock files for Claude Code. */
export function locksOf({ env }: Workspace): readonly string[] {
  const folder = join(env.CLAUDE_CONFIG_DIR ?? "", "ide");
  return existsSync(folder) ? readdirSync(folder) : [];
}
