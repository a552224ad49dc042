import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";

/** Longer lines are cut. */
const MAX_LINE = 4_096;

/** Lines of what a program prints, without colours: each is cut, none is kept. */
export class OutputLines {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(chunk)).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) this.#emit(line);
  }

  end(): void {
    if (this.#rest !== "") this.#emit(this.#rest);
    this.#rest = "";
  }

  #emit(line: string): void {
    this.#onLine(stripVTControlCharacters(line.slice(0, MAX_LINE)).replace(/\r$/, ""));
  }
}
