import { clearTimeout, setTimeout } from "node:timers";
import { line, type Printable } from "./printable.ts";

const WINDOW_MS = 10_000;
const MAX_LINES = 12;

/**
 * Prevents a busy agent from flooding the screen: prints equal lines once in ten seconds, and at most twelve
 * lines; counts the rest.
 */
export class RateLimiter {
  readonly #print: (text: Printable) => void;
  readonly #output = new Set<string>();
  #suppressed = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(print: (text: Printable) => void) {
    this.#print = print;
  }

  print(text: Printable): void {
    if (this.#output.has(text.text)) return;
    this.#timer ??= setTimeout(() => this.#endWindow(), WINDOW_MS).unref();
    if (this.#output.size < MAX_LINES) {
      this.#output.add(text.text);
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
    this.#output.clear();
    if (this.#suppressed > 0) this.#print(line`  … and ${this.#suppressed} more lines like these`);
    this.#suppressed = 0;
  }
}
