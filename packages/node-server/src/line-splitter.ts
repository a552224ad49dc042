const NEWLINE = 0x0a;

/** What a {@link LineSplitter} finds. */
export interface LineReader {
  line(text: string): void;
  /** A line grew beyond the limit; nothing follows. */
  tooLong(): void;
}

/**
 * Cuts bytes into lines. A line is decoded when it is whole, so that a character may be split over
 * two chunks; each byte is looked at once, however many chunks a line has.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #reader: LineReader;
  #parts: Buffer[] = [];
  #size = 0;
  #stopped = false;

  constructor(maxBytes: number, reader: LineReader) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (this.#stopped) return;
      const stop = end === -1 ? chunk.length : end;
      if (this.#size + stop - start > this.#maxBytes) {
        this.stop();
        this.#reader.tooLong();
        return;
      }
      if (end === -1) break;
      this.#reader.line(this.#take(chunk, start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#parts.push(start === 0 ? chunk : chunk.subarray(start));
    this.#size += chunk.length - start;
  }

  /** No more bytes come: what follows the last newline is a line too. */
  end(): void {
    if (this.#stopped || this.#size === 0) return;
    this.#reader.line(this.#take(Buffer.alloc(0), 0, 0));
  }

  /** Finds nothing more, and lets go of what is unfinished. */
  stop(): void {
    this.#stopped = true;
    this.#parts = [];
    this.#size = 0;
  }

  #take(chunk: Buffer, start: number, end: number): string {
    if (this.#size === 0) return chunk.toString("utf8", start, end);
    this.#parts.push(chunk.subarray(start, end));
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
