import { clearTimeout, setTimeout } from "node:timers";
import { line, type Printable } from "./printable.ts";

const WINDOW_MS = 10_000;
const MAX_LINES = 12;

/**
 * Keeps a busy agent from flooding the screen: in ten seconds the same is said once, and no more
 * than twelve things are; the rest is counted.
 */
export class Trickle {
  readonly #print: (text: Printable) => void;
  readonly #said = new Set<string>();
  #suppressed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(print: (text: Printable) => void) {
    this.#print = print;
  }

  say(text: Printable): void {
    if (this.#said.has(text.text)) return;
    this.#timer ??= setTimeout(() => this.#endWindow(), WINDOW_MS).unref();
    if (this.#said.size < MAX_LINES) {
      this.#said.add(text.text);
      this.#print(text);
    } else {
      this.#suppressed += 1;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #endWindow(): void {
    this.#timer = undefined;
    this.#said.clear();
    if (this.#suppressed > 0) this.#print(line`  … and ${this.#suppressed} more of such lines`);
    this.#suppressed = 0;
  }
}
