import { CloseCode } from "@idewire/core/rpc";

/** What a {@link Framing} finds. */
export interface FrameListener {
  frame(text: string): void;
  /** The bytes are not frames, or one is too long: nothing follows. The code is a close code. */
  broken(code: number, why: string): void;
}

/** Finds the frames in the bytes of one stream. */
export interface Framing {
  push(chunk: Buffer): void;
  /** No more bytes come, and the stream has ended in order. */
  end(): void;
  /** Finds nothing more, and frees what is unfinished. */
  stop(): void;
  /** How many bytes of an unfinished frame are held. */
  readonly heldBytes: number;
  /** The text of an unfinished frame. */
  readonly partial: string;
  /** Whether a frame came whose length was announced, where that is not the rule. */
  readonly hasLengths?: boolean;
}

/** How frames are told apart in a stream: one end of each stream reads by it, and the other writes by it. */
export interface FramingKind {
  read(listener: FrameListener, maxFrameBytes: number): Framing;
  /** What is written for a frame, in front of it, in its place and behind it. */
  write(frame: string): readonly [before: string | Buffer, frame: string, after: string];
}

/** After this many pieces they are joined: each has an overhead, which may exceed its bytes. */
const MAX_PIECES = 1_024;

/**
 * The bytes of an unfinished frame. However small the pieces are in which they arrive, they cost little more than
 * their size, and each is copied at most twice.
 */
export class Pieces {
  #parts: Buffer[] = [];
  /** How many of them were put together already. */
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

  /** All of them together, of which none is held any longer. */
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

/** Reports a frame that is longer than frames may be. */
export function refuseLength(listener: FrameListener, maxFrameBytes: number): void {
  listener.broken(CloseCode.MessageTooBig, `A frame is longer than ${maxFrameBytes} bytes`);
}
