import { clearScreenDown, cursorTo, type Interface, moveCursor } from "node:readline";
import { Printable } from "../../../output/printable.ts";
import { layOut } from "../../../output/wrap.ts";
import type { CliOutput } from "../../../process/io.ts";

/** How many lines are kept while another program has the terminal. */
const MAX_HELD_LINES = 2_000;

/** The one place that writes to the terminal: lines appear above the line that is being typed. */
export class TerminalScreen {
  readonly #output: CliOutput;
  #typing: Interface | undefined;
  #promptText: () => string = () => "";
  #held: string[] | undefined;
  #heldTooMany = 0;

  constructor(output: CliOutput) {
    this.#output = output;
  }

  /** How many characters fit into one line. */
  get width(): number {
    return this.#output.columns ?? 80;
  }

  /** How many lines of one thing are shown at once. */
  get pageLength(): number {
    const { rows } = this.#output;
    return rows === undefined ? 200 : Math.max(10, rows - 9);
  }

  /** Prints each on a line of its own. */
  print(...lines: readonly Printable[]): void {
    const text = lines.map((line) => `${layOut(line, this.#output)}\n`).join("");
    if (this.#held === undefined) this.#write(text);
    else if (this.#held.length < MAX_HELD_LINES) this.#held.push(text);
    else this.#heldTooMany += 1;
  }

  /**
   * From now on the person types at this prompt, which is drawn again below what is printed.
   * @param promptText what it says then: what was asked may be settled by what is printed
   */
  showPrompt(typing: Interface, promptText: () => string): void {
    this.#typing = typing;
    this.#promptText = promptText;
    typing.setPrompt(promptText());
    // What was typed ahead keeps its cursor.
    typing.prompt(typing.line !== "");
  }

  /** The prompt is no longer on the screen, such as when a line was finished. */
  hidePrompt(): void {
    this.#typing = undefined;
  }

  /** Something else has the terminal: what is printed waits for {@link release}. */
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
    // Before readline draws again it goes up as many rows as it drew the last time.
    const { prevRows = 0 } = typing as { readonly prevRows?: number };
    this.#output.write(text + "\n".repeat(prevRows));
    typing.setPrompt(this.#promptText());
    typing.prompt(true);
  }
}
