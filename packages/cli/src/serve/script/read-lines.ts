import type { Readable } from "node:stream";

/** A line without its end, or the size of a dropped line that was too long. */
export type InputLine = { readonly text: string } | { readonly droppedBytes: number };

const NEWLINE = 0x0a;

/**
 * Splits UTF-8 input into lines, the last of which needs no newline. A line of more than `maxBytes` is discarded
 * while it arrives, so that it uses no memory.
 */
export async function* readLines(
  input: Readable,
  maxBytes: number,
): AsyncGenerator<InputLine, void> {
  const line = new GrowingLine(maxBytes);
  for await (const chunk of input) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      line.add(bytes.subarray(start, end));
      yield line.take();
      start = end + 1;
    }
    line.add(bytes.subarray(start));
  }
  if (line.bytes > 0) yield line.take();
}

/** The line being read, in the pieces received. */
class GrowingLine {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#chunks = [];
    else if (piece.length > 0) this.#chunks.push(piece);
  }

  take(): InputLine {
    const bytes = this.#bytes;
    const line =
      bytes > this.#maxBytes
        ? { droppedBytes: bytes }
        : { text: Buffer.concat(this.#chunks).toString("utf8") };
    this.#chunks = [];
    this.#bytes = 0;
    return line;
  }
}
