import { type Completer, createInterface, type Interface } from "node:readline";
import { line } from "../../../output/printable.ts";
import type { CliIo } from "../../../process/io.ts";
import { readLines } from "../../script/read-lines.ts";
import type { TerminalScreen } from "./screen.ts";

/** Where the person's commands come from. */
export interface LineSource {
  /** The next line; undefined once there are no more. */
  next(): Promise<string | undefined>;
  /** Whether a person sits there. */
  readonly isInteractive: boolean;
  /** Whether a line has been begun. */
  readonly isTyping: boolean;
  /** Gives the terminal to another program, and takes it back. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const MAX_LINE_BYTES = 1 << 20;
const PROMPT = "idewire> ";

/** Whether a person types here: then there is a prompt, line editing and completion. */
export function isInteractive({ stdin, stdout, env }: CliIo): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env["TERM"] !== "dumb";
}

/** Lines from a pipe, a file, or a terminal that can do nothing. */
export function createPlainPrompt({ stdin }: CliIo): LineSource {
  const lines = readLines(stdin, MAX_LINE_BYTES);
  return {
    async next() {
      // An input that fails, or was destroyed because we end, has no more lines.
      const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return undefined;
      return "text" in value ? value.text : "";
    },
    isInteractive: false,
    isTyping: false,
    suspend() {},
    resume() {},
    close() {},
  };
}

export interface TerminalPromptOptions {
  readonly io: CliIo;
  readonly screen: TerminalScreen;
  readonly completer: Completer;
  /** Ctrl-C, with nothing typed. */
  readonly onInterrupt: () => void;
  /** What was typed has been thrown away. */
  readonly onDiscard: () => void;
  /** What is asked, when something is. */
  readonly question: () => string | undefined;
}

/** The terminal's own prompt. */
export class TerminalPrompt implements LineSource {
  readonly isInteractive = true;
  readonly #options: TerminalPromptOptions;
  readonly #lines: string[] = [];
  #interface: Interface | undefined;
  #history: string[] = [];
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(options: TerminalPromptOptions) {
    this.#options = options;
    this.resume();
  }

  get isTyping(): boolean {
    return this.#interface !== undefined && this.#interface.line !== "";
  }

  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#hasEnded) {
      const { screen, question } = this.#options;
      if (this.#interface) screen.showPrompt(this.#interface, () => question() ?? PROMPT);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#lines.shift();
  }

  suspend(): void {
    const typing = this.#interface;
    this.#interface = undefined;
    this.#options.screen.hidePrompt();
    typing?.close();
  }

  resume(): void {
    const typing = createInterface({
      input: this.#options.io.stdin,
      output: this.#options.io.stdout,
      prompt: PROMPT,
      completer: this.#options.completer,
      history: this.#history,
      historySize: 200,
      removeHistoryDuplicates: true,
      terminal: true,
    });
    this.#interface = typing;
    typing.on("history", (history) => {
      this.#history = history;
    });
    typing.on("line", (text) => {
      this.#options.screen.hidePrompt();
      this.#lines.push(text);
      this.#wake();
    });
    typing.on("SIGINT", () => this.#interrupt(typing));
    // After Ctrl-Z and fg readline waits until it is asked to go on.
    typing.on("SIGCONT", () => typing.prompt(true));
    typing.on("close", () => {
      if (this.#interface === typing) this.#end();
    });
  }

  close(): void {
    const typing = this.#interface;
    if (typing === undefined) return;
    this.#end();
    typing.close();
  }

  /** As in a shell, Ctrl-C throws away what was typed; with nothing typed it ends. */
  #interrupt(typing: Interface): void {
    if (typing.line === "") {
      this.#options.onInterrupt();
    } else {
      typing.write(null, { ctrl: true, name: "e" });
      typing.write(null, { ctrl: true, name: "u" });
      this.#options.onDiscard();
    }
  }

  #end(): void {
    this.#interface = undefined;
    this.#hasEnded = true;
    this.#options.screen.hidePrompt();
    this.#options.screen.print(line``);
    this.#wake();
  }
}
