const NEWLINE = 0x0a;
/** After this many pieces of a line they are joined: each has an overhead, which may exceed its bytes. */
const MAX_CHUNKS = 1_024;

/** What a {@link LineSplitter} finds. */
export interface LineListener {
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
  readonly #reader: LineListener;
  #parts: Buffer[] = [];
  /** How many of them were put together already. */
  #joined = 0;
  #size = 0;
  #stopped = false;

  constructor(maxBytes: number, reader: LineListener) {
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
    if (this.#parts.length - this.#joined > MAX_CHUNKS) {
      this.#parts.push(Buffer.concat(this.#parts.splice(this.#joined)));
      this.#joined += 1;
    }
  }

  /** The text after the last newline. */
  get pending(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }

  /** Drops the first bytes of the pending text. */
  skip(bytes: number): void {
    const rest = Buffer.concat(this.#parts).subarray(bytes);
    this.#forget();
    if (rest.length === 0) return;
    this.#parts = [rest];
    this.#size = rest.length;
  }

  /** No more bytes come: what follows the last newline is a line too. */
  end(): void {
    if (this.#stopped || this.#size === 0) return;
    this.#reader.line(this.#take(Buffer.alloc(0), 0, 0));
  }

  /** Finds nothing more, and frees what is unfinished. */
  stop(): void {
    this.#stopped = true;
    this.#forget();
  }

  #take(chunk: Buffer, start: number, end: number): string {
    if (this.#size === 0) return chunk.toString("utf8", start, end);
    this.#parts.push(chunk.subarray(start, end));
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#forget();
    return line;
  }

  #forget(): void {
    this.#parts = [];
    this.#joined = 0;
    this.#size = 0;
  }
}
