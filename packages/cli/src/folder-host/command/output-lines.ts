import { stripVTControlCharacters, TextDecoder } from "node:util";

/** Longer lines are cut. */
const MAX_LINE = 4_096;

/** Enough bytes to detect the encoding. */
const ENCODING_BYTES = 64;

/**
 * Splits a program's output into lines, without colours; long lines are cut, and none is retained. A carriage
 * return also ends a line: programs show progress with it, and print the next line over it.
 */
export class OutputLines {
  readonly #onLine: (line: string) => void;
  #decoder: TextDecoder | undefined;
  #undecoded = Buffer.alloc(0);
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    if (this.#decoder !== undefined) {
      this.#split(this.#decoder.decode(chunk, { stream: true }));
      return;
    }
    this.#undecoded = Buffer.concat([this.#undecoded, chunk]);
    if (this.#undecoded.length >= ENCODING_BYTES || this.#undecoded.includes("\n")) this.#begin();
  }

  end(): void {
    const decoder = this.#decoder ?? this.#begin();
    this.#split(decoder.decode());
    if (this.#rest !== "") this.#emit(this.#rest);
    this.#rest = "";
  }

  #begin(): TextDecoder {
    const bytes = this.#undecoded;
    this.#undecoded = Buffer.alloc(0);
    this.#decoder = new TextDecoder(encodingOf(bytes));
    this.#split(this.#decoder.decode(bytes, { stream: true }));
    return this.#decoder;
  }

  #split(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) this.#emit(line);
  }

  #emit(line: string): void {
    this.#onLine(stripVTControlCharacters(line.slice(0, MAX_LINE)).replace(/\r$/, ""));
  }
}

/** PowerShell writes UTF-16: with a byte order mark, or recognisable by its zero bytes. */
function encodingOf(bytes: Buffer): "utf-8" | "utf-16le" | "utf-16be" {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0 && second === 0) return "utf-16le";
  return first === 0 && second !== 0 ? "utf-16be" : "utf-8";
}
