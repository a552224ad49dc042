import { createInterface, type Interface } from "node:readline";
import { createPrinter, logLines, type Printer } from "../output/print.ts";
import { type Printable, toText } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";

/** Asks on stderr and reads from the terminal, so that stdout has only the results. */
export class TerminalQuestions {
  /** Whether there is a terminal to ask in. */
  readonly canAsk: boolean;
  readonly printer: Printer;
  /** Called when the person is asked, and again when nothing is asked any more. */
  onasking: ((isAsking: boolean) => void) | undefined;
  readonly #io: CliIo;
  readonly #onInterrupt: () => void;
  /** Lines typed ahead of a question. */
  readonly #lines: string[] = [];
  #interface: Interface | undefined;
  #answer: ((text: string | undefined) => void) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #turns = 0;

  /** @param onInterrupt called for Ctrl-C during a question */
  constructor(io: CliIo, onInterrupt: () => void) {
    this.canAsk = io.stdin.isTTY === true && io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
    this.printer = createPrinter(io);
    this.#io = io;
    this.#onInterrupt = onInterrupt;
  }

  /** Runs a series of questions; other series wait for its end. */
  inTurn<T>(talk: () => Promise<T>): Promise<T> {
    this.#turns += 1;
    this.onasking?.(true);
    const turn = this.#last.then(talk).finally(() => {
      this.close();
      this.#turns -= 1;
      if (this.#turns === 0) this.onasking?.(false);
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /**
   * Asks for a line.
   * @returns undefined when the person ends the input by Ctrl-D, or when the signal aborts
   */
  async ask(prompt: Printable, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted === true) return undefined;
    const typing = this.#open();
    typing.setPrompt(toText(prompt));
    typing.prompt();
    const typed = this.#lines.shift();
    if (typed !== undefined) return typed;
    const abandon = () => this.close();
    signal?.addEventListener("abort", abandon);
    try {
      return await new Promise<string | undefined>((resolve) => {
        this.#answer = resolve;
      });
    } finally {
      signal?.removeEventListener("abort", abandon);
    }
  }

  /** Restores the terminal; pending questions get no answer. */
  close(): void {
    const typing = this.#interface;
    this.#interface = undefined;
    typing?.close();
    // The cursor is after the question.
    if (this.#answer !== undefined) logLines(this.#io, "");
    this.#settle(undefined);
  }

  #open(): Interface {
    if (this.#interface !== undefined) return this.#interface;
    const { stdin, stderr } = this.#io;
    const typing = createInterface({
      input: stdin,
      output: stderr,
      terminal: true,
      historySize: 0,
    });
    this.#interface = typing;
    typing.on("line", (text) => {
      if (this.#answer === undefined) this.#lines.push(text);
      else this.#settle(text);
    });
    typing.on("SIGINT", () => {
      this.close();
      this.#onInterrupt();
    });
    typing.on("close", () => {
      if (this.#interface === typing) this.close();
    });
    return typing;
  }

  #settle(text: string | undefined): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(text);
  }
}
