import { CloseCode } from "@idewire/core/rpc";

/** The callbacks of a {@link Framing}. */
export interface FrameListener {
  frame(text: string): void;
  /** The bytes are not frames, or a frame is too long: nothing follows. The code is a close code. */
  broken(code: number, why: string): void;
}

/** Splits the bytes of one stream into frames. */
export interface Framing {
  push(chunk: Buffer): void;
  /** Ends the stream in order: no more bytes follow. */
  end(): void;
  /** Stops, and frees an unfinished frame. */
  stop(): void;
  /** The number of bytes of an unfinished frame. */
  readonly heldBytes: number;
  /** The text of an unfinished frame. */
  readonly partial: string;
  /** Whether a frame with an announced length was received although the framing has none. */
  readonly hasLengths?: boolean;
}

/** How frames are delimited in a stream, for reading and for writing. */
export interface FramingKind {
  read(listener: FrameListener, maxFrameBytes: number): Framing;
  /** The text of a frame with its prefix and suffix on the wire. */
  write(frame: string): readonly [before: string | Buffer, frame: string, after: string];
}

/** Pieces are joined above this number, as the overhead of each may exceed its bytes. */
const MAX_PIECES = 1_024;

/**
 * The bytes of an unfinished frame. Even if they arrive in tiny pieces, they take little more memory than their
 * size, and each byte is copied at most twice.
 */
export class Pieces {
  #parts: Buffer[] = [];
  /** How many of them are joined already. */
  #joined = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#parts.push(chunk);
    this.#size += chunk.length;
    if (this.#parts.length - this.#joined > MAX_PIECES) {
      this.#parts.push(Buffer.concat(this.#parts.splice(this.#joined)));
      this.#joined += 1;
    }
  }

  /** All of them together. */
  peek(): Buffer {
    const [first, ...others] = this.#parts;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#parts);
  }

  /** All of them together; the buffer is empty afterwards. */
  take(): Buffer {
    const bytes = this.peek();
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#parts = [];
    this.#joined = 0;
    this.#size = 0;
  }
}

/** Reports a frame above the size limit. */
export function refuseLength(listener: FrameListener, maxFrameBytes: number): void {
  listener.broken(CloseCode.MessageTooBig, `A frame is longer than ${maxFrameBytes} bytes`);
}
