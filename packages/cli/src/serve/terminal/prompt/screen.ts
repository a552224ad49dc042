import { clearScreenDown, cursorTo, type Interface, moveCursor } from "node:readline";
import { Printable } from "../../../output/printable.ts";
import { layOut } from "../../../output/wrap.ts";
import type { CliOutput } from "../../../process/io.ts";

/** How many lines are queued while another program uses the terminal. */
const MAX_HELD_LINES = 2_000;

/** The only writer to the terminal: lines appear above the line being typed. */
export class TerminalScreen {
  readonly #output: CliOutput;
  readonly #isWhole: boolean;
  #typing: Interface | undefined;
  #promptText: () => string = () => "";
  #held: string[] | undefined;
  #heldTooMany = 0;
  #title: string | undefined;

  /** @param isWhole whether each text is shown whole, regardless of its length */
  constructor(output: CliOutput, isWhole = false) {
    this.#output = output;
    this.#isWhole = isWhole;
  }

  /** The number of characters per line. */
  get width(): number {
    return this.#output.columns ?? 80;
  }

  /** The number of lines shown at once. */
  get pageLength(): number {
    const { rows } = this.#output;
    if (this.#isWhole) return Number.POSITIVE_INFINITY;
    return rows === undefined ? 200 : Math.max(10, rows - 9);
  }

  /** Prints each on its own line. */
  print(...lines: readonly Printable[]): void {
    const text = lines.map((line) => `${layOut(line, this.#output)}\n`).join("");
    if (this.#held === undefined) this.#write(text);
    else if (this.#held.length < MAX_HELD_LINES) this.#held.push(text);
    else this.#heldTooMany += 1;
  }

  /**
   * Shows a prompt, which is redrawn below later output.
   * @param promptText returns the text for redrawing: printed events may settle the question
   */
  showPrompt(typing: Interface, promptText: () => string): void {
    this.#typing = typing;
    this.#promptText = promptText;
    typing.setPrompt(promptText());
    // The cursor of text typed ahead is preserved.
    typing.prompt(typing.line !== "");
  }

  /** Call when the prompt is no longer on the screen, such as after a finished line. */
  hidePrompt(): void {
    this.#typing = undefined;
  }

  /** Rings the bell. */
  ring(): void {
    this.#control("\x07");
  }

  /** Copies a text to the clipboard (OSC 52), which some terminals refuse silently; false without a terminal. */
  copy(text: string): boolean {
    this.#control(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`);
    return this.#output.isTTY === true;
  }

  /** Sets the title of the terminal's window; undefined restores the previous one. */
  set title(text: Printable | undefined) {
    const isFirst = this.#title === undefined;
    if (text?.text === this.#title) return;
    this.#title = text?.text;
    const save = isFirst ? "\x1b[22;2t" : "";
    this.#control(text === undefined ? "\x1b[23;2t" : `${save}\x1b]2;${text.text}\x1b\\`);
  }

  /** Outputs that show only text get no title and no bell. */
  #control(sequence: string): void {
    if (this.#output.isTTY === true) this.#output.write(sequence);
  }

  /** Another program uses the terminal: output is queued until {@link release}. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const text = this.#held?.join("") ?? "";
    this.#held = undefined;
    this.#write(text);
    if (this.#heldTooMany > 0) this.print(new Printable(`… and ${this.#heldTooMany} more lines`));
    this.#heldTooMany = 0;
  }

  #write(text: string): void {
    if (text === "") return;
    const typing = this.#typing;
    if (typing === undefined) {
      this.#output.write(text);
      return;
    }
    const { rows } = typing.getCursorPos();
    moveCursor(this.#output, 0, -rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    // readline moves up as many rows as it drew last before it redraws.
    const { prevRows = 0 } = typing as { readonly prevRows?: number };
    this.#output.write(text + "\n".repeat(prevRows));
    typing.setPrompt(this.#promptText());
    typing.prompt(true);
  }
}
