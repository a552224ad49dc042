import { type Completer, createInterface, type Interface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import type { Unsubscribe } from "@idewire/core";
import { line } from "../../../output/printable.ts";
import { followForeground } from "../../../process/foreground.ts";
import type { CliIo } from "../../../process/io.ts";
import { readLines } from "../../script/read-lines.ts";
import type { TerminalScreen } from "./screen.ts";

/** The source of the person's commands. */
export interface LineSource {
  /** The next line; undefined at the end. */
  next(): Promise<string | undefined>;
  /** Whether a person types the lines. */
  readonly isInteractive: boolean;
  /** Whether a line has been started. */
  readonly isTyping: boolean;
  /** Releases the terminal to another program, and claims it again. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const MAX_LINE_BYTES = 1 << 20;
const PROMPT = "idewire> ";

/** Whether the input is interactive: then there is a prompt, line editing and completion. */
export function isInteractive({ stdin, stdout, env }: CliIo): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env["TERM"] !== "dumb";
}

/** Lines from a pipe, a file, or a dumb terminal. */
export function createPlainPrompt(io: CliIo): LineSource {
  const { input, close } = inForeground(io);
  const lines = readLines(input, MAX_LINE_BYTES);
  return {
    async next() {
      // An input that fails, or was destroyed at the end, has no more lines.
      const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return undefined;
      return "text" in value ? value.text : "";
    },
    isInteractive: false,
    isTyping: false,
    suspend() {},
    resume() {},
    close,
  };
}

/** A terminal is read only in the foreground: otherwise the system stops the process. */
function inForeground({ stdin, job }: CliIo): {
  readonly input: Readable;
  readonly close: () => void;
} {
  if (stdin.isTTY !== true || job === undefined) return { input: stdin, close() {} };
  const input = new PassThrough();
  const close = followForeground(job, (isForeground) => {
    if (isForeground) stdin.pipe(input);
    else stdin.unpipe(input).pause();
  });
  return { input, close };
}

export interface TerminalPromptOptions {
  readonly io: CliIo;
  readonly screen: TerminalScreen;
  readonly completer: Completer;
  /** Called for Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** Called when the typed line was discarded. */
  readonly onDiscard: () => void;
  /** The current question, if any. */
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
  #isForeground = true;
  #isSuspended = false;
  /** Whether a line is awaited. */
  #isAsked = false;
  readonly #unfollow: Unsubscribe | undefined;
  #wake: () => void = () => {};

  constructor(options: TerminalPromptOptions) {
    this.#options = options;
    const { job } = options.io;
    if (job === undefined) this.resume();
    else this.#unfollow = followForeground(job, (isForeground) => this.#moved(isForeground));
  }

  get isTyping(): boolean {
    return this.#interface !== undefined && this.#interface.line !== "";
  }

  async next(): Promise<string | undefined> {
    while (this.#lines.length === 0 && !this.#hasEnded) {
      this.#isAsked = true;
      this.#show();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#isAsked = false;
    }
    return this.#lines.shift();
  }

  suspend(): void {
    this.#isSuspended = true;
    const typing = this.#interface;
    this.#interface = undefined;
    this.#options.screen.hidePrompt();
    typing?.close();
  }

  resume(): void {
    this.#isSuspended = false;
    if (this.#isForeground) this.#open();
  }

  close(): void {
    this.#unfollow?.();
    const typing = this.#interface;
    if (typing === undefined) return;
    this.#end();
    // In the background, the terminal's mode must not be changed.
    if (this.#isForeground) typing.close();
  }

  #open(): void {
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
    typing.on("SIGTSTP", () => this.#stop());
    typing.on("close", () => {
      if (this.#interface === typing) this.#end();
    });
  }

  #show(): void {
    const { screen, question } = this.#options;
    if (this.#interface === undefined || !this.#isForeground || !this.#isAsked) return;
    screen.showPrompt(this.#interface, () => question() ?? PROMPT);
  }

  /** Ctrl-Z: restores the terminal for the shell. */
  #stop(): void {
    const { io, screen } = this.#options;
    screen.hidePrompt();
    io.stdin.setRawMode?.(false);
    io.job?.stop();
  }

  /** In the background there is no prompt; agents are served nevertheless. */
  #moved(isForeground: boolean): void {
    const { io, screen } = this.#options;
    this.#isForeground = isForeground;
    if (!isForeground) {
      this.#interface?.pause();
      screen.hidePrompt();
    } else if (this.#interface !== undefined) {
      // Another job has used the terminal, so its mode may have changed.
      io.stdin.setRawMode?.(false);
      io.stdin.setRawMode?.(true);
      this.#show();
    } else if (!this.#isSuspended && !this.#hasEnded) {
      this.#open();
      this.#show();
    }
  }

  /** As in a shell, Ctrl-C discards the typed line; on an empty line it stops the command. */
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
