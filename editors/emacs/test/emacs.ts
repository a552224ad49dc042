import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtBin } from "../../../tests/src/line-program.ts";
import type { Workspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { TIMEOUT_MS, until } from "../../../tests/src/reference-clients/transcript.ts";
import { EditorTerminal, findEditor, type TerminalOptions } from "../../terminal.ts";

const library = fileURLToPath(new URL("../idewire.el", import.meta.url));

/** The first line of `emacs --version`; undefined where Emacs, or tmux to drive it, is missing. */
export function findEmacs(): string | undefined {
  return findEditor("emacs");
}

export interface EmacsOptions extends TerminalOptions {
  /** What is given to emacs, such as names of files. */
  readonly args?: readonly string[];
  /** Lisp to run before `idewire-mode`. */
  readonly lisp?: string;
  /** The program and first arguments of idewire. */
  readonly command?: readonly string[];
}

/** A text as Emacs Lisp has it. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** An Emacs in a terminal. */
export class Emacs extends EditorTerminal {
  readonly #server: string;
  readonly #folder: string;

  constructor(workspace: Workspace, options: EmacsOptions = {}) {
    const { root } = workspace.fixture;
    const name = randomBytes(6).toString("hex");
    const init = join(root, `${name}.el`);
    // Emacs demands a folder that nobody else can open.
    const folder = join(root, name);
    const server = join(folder, "server");
    const command = (options.command ?? [process.execPath, builtBin]).map(quote).join(" ");
    writeFileSync(
      init,
      [
        `(setq server-socket-dir ${quote(folder)} server-name "server")`,
        "(setq make-backup-files nil auto-save-default nil create-lockfiles nil)",
        // It would compile the libraries that are loaded, and warn about them.
        "(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)",
        "(server-start)",
        `(load ${quote(library)} nil t)`,
        `(setq idewire-command '(${command}))`,
        options.lisp ?? "",
        "(idewire-mode 1)",
      ].join("\n"),
    );
    super(workspace, ["emacs", "-nw", "-Q", "-l", init, ...(options.args ?? [])], options);
    this.#server = server;
    this.#folder = workspace.folder;
  }

  /** The process id of Emacs. */
  get pid(): number {
    return Number(this.lisp("(emacs-pid)"));
  }

  /** Runs a command by its name, as `M-x` does. */
  command(name: string): void {
    this.keys("M-x");
    this.type(name);
    this.keys("Enter");
  }

  /** The value of an expression, as Emacs prints it. */
  lisp(expression: string): string {
    const args = ["-s", this.#server, "--eval", expression];
    const { stdout, stderr } = spawnSync("emacsclient", args, {
      encoding: "utf8",
      timeout: 5_000,
      // The directory of the expression.
      cwd: this.#folder,
    });
    return (stdout || stderr).trim();
  }

  async until(expression: string, value: string): Promise<void> {
    const check = () => this.lisp(expression) === value;
    await until(
      `${expression} to be ${value}`,
      check,
      TIMEOUT_MS,
      () => `${this.lisp(expression)}\n${this.screen}`,
    );
  }

  /** Waits until agents can find it. */
  untilListening(): Promise<void> {
    return this.until("(plist-get (idewire-status) :state)", "listening");
  }
}
