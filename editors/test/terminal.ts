import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Workspace } from "../../tests/src/reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "../../tests/src/reference-clients/transcript.ts";

/** The first line of an editor's `--version`; undefined where the editor, or tmux to drive it, is missing. */
export function findEditor(program: string): string | undefined {
  const run = (name: string, flag: string) => spawnSync(name, [flag], { encoding: "utf8" });
  if (run("tmux", "-V").status !== 0) return undefined;
  const { status, stdout } = run(program, "--version");
  return status === 0 ? stdout.split("\n")[0] : undefined;
}

export interface TerminalOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** An editor in its own terminal, driven by keys: only this reveals prompts and a lost focus. */
export class EditorTerminal {
  /** The socket of tmux. */
  readonly #socket: string;

  constructor(
    { folder, env, fixture }: Workspace,
    words: readonly string[],
    options: TerminalOptions,
  ) {
    this.#socket = join(fixture.root, `${randomBytes(6).toString("hex")}.tmux`);
    const variables = Object.entries({ ...env, ...options.env }).map(
      ([key, value]) => `${key}=${value}`,
    );
    const size = ["-x", "120", "-y", "40"];
    const where = ["-c", options.cwd ?? folder];
    this.#tmux(["new-session", "-d", ...size, ...where, "env", ...variables, ...words]);
    onTestFinished(() => this.close());
  }

  /** Presses keys by their names in tmux: `Escape`, `C-v`, `:w`. */
  keys(...keys: readonly string[]): void {
    this.#tmux(["send-keys", ...keys]);
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux(["send-keys", "-l", "--", text]);
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

  /** The title of the terminal, as set by its programs. */
  get title(): string {
    return this.#tmux(["display-message", "-p", "#{pane_title}"]);
  }

  /** The id of the process in the terminal. */
  get pid(): number {
    return Number(this.#tmux(["display-message", "-p", "#{pane_pid}"]));
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
