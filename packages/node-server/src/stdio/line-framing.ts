import {
  type FrameListener,
  type Framing,
  type FramingKind,
  Pieces,
  refuseLength,
} from "./framing.ts";
import { LengthHeaders } from "./length-headers.ts";

const NEWLINE = 0x0a;
const OPENING_BRACE = 0x7b;

/**
 * One frame per line, as in MCP's stdio transport. Frames announced by `Content-Length`, as in LSP, are read as
 * well.
 */
export const lineFraming: FramingKind = {
  read: (listener, maxFrameBytes) => new LineFraming(listener, maxFrameBytes),
  // JSON has line breaks only between tokens, where a space is equivalent.
  write: (frame) => ["", frame.includes("\n") ? frame.replaceAll("\n", " ") : frame, "\n"],
};

/**
 * Splits bytes into lines. A line is decoded when it is complete, so that a character may be split over two
 * chunks; each byte is scanned once, regardless of the number of chunks.
 */
class LineFraming implements Framing {
  readonly #listener: FrameListener;
  readonly #maxBytes: number;
  readonly #headers = new LengthHeaders();
  /** The bytes after the last newline. */
  readonly #pieces = new Pieces();
  #isStopped = false;

  constructor(listener: FrameListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#pieces.size;
  }

  get partial(): string {
    return this.#pieces.peek().toString("utf8");
  }

  get hasLengths(): boolean {
    return this.#headers.hasFound;
  }

  push(chunk: Buffer): void {
    this.#split(chunk);
    if (this.#headers.isExpecting) this.#receivePending();
  }

  end(): void {
    if (this.#isStopped || this.#pieces.size === 0) return;
    this.#receive(this.#pieces.take().toString("utf8"));
  }

  stop(): void {
    this.#isStopped = true;
    this.#pieces.clear();
  }

  #split(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (this.#isStopped) return;
      const stop = end === -1 ? chunk.length : end;
      if (this.#pieces.size + stop - start > this.#maxBytes) {
        this.stop();
        refuseLength(this.#listener, this.#maxBytes);
        return;
      }
      if (end === -1) break;
      this.#receive(this.#take(chunk, start, end));
      start = end + 1;
    }
    this.#pieces.push(start === 0 ? chunk : chunk.subarray(start));
  }

  #take(chunk: Buffer, start: number, end: number): string {
    if (this.#pieces.size === 0) return chunk.toString("utf8", start, end);
    this.#pieces.push(chunk.subarray(start, end));
    return this.#pieces.take().toString("utf8");
  }

  #receive(line: string): void {
    const isFrame = line.charCodeAt(0) === OPENING_BRACE && !this.#headers.isExpecting;
    if (isFrame) this.#listener.frame(line);
    else if (!this.#headers.read(line)) this.#receiveAnnounced(line);
  }

  /** A line that may start with a frame of announced length, and continue with the header of the next. */
  #receiveAnnounced(line: string): void {
    const found = this.#headers.takeFrom(line);
    this.#listener.frame(found?.message ?? line);
    const rest = found && Buffer.from(line).subarray(found.bytes).toString("utf8");
    if (rest) this.#receive(rest);
  }

  /** Emits a frame of announced length as soon as it is complete: no newline follows it. */
  #receivePending(): void {
    const pending = this.#pieces.peek();
    const found = this.#headers.takeFrom(pending.toString("utf8"));
    if (found === undefined) return;
    this.#pieces.clear();
    this.#pieces.push(pending.subarray(found.bytes));
    this.#listener.frame(found.message);
  }
}
