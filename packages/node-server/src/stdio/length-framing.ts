import { CloseCode } from "@idewire/core/rpc";
import { type FrameListener, type Framing, type FramingKind, Pieces } from "./framing.ts";

/** Far more than any header of LSP's base protocol. */
const MAX_HEADER_BYTES = 4_096;

const HEADER_END = "\r\n\r\n";

const LENGTH_BYTES = 4;

/**
 * Reads the header of a frame: the lengths of the header and of the frame; undefined while the header is
 * incomplete.
 */
type Header = { readonly headerBytes: number; readonly length: number } | undefined;

/** LSP's base protocol: `Content-Length`, an empty line, the frame. */
export const contentLengthFraming: FramingKind = {
  read: (listener, maxBytes) => new LengthFraming(readContentLength, listener, maxBytes),
  write: (frame) => [`Content-Length: ${Buffer.byteLength(frame)}${HEADER_END}`, frame, ""],
};

/** The length in 4 bytes, little-endian, and the frame (docs/clients/codex.md, Connection). */
export const lengthPrefixFraming: FramingKind = {
  read: (listener, maxBytes) => new LengthFraming(readPrefix, listener, maxBytes),
  write(frame) {
    const prefix = Buffer.alloc(LENGTH_BYTES);
    prefix.writeUInt32LE(Buffer.byteLength(frame));
    return [prefix, frame, ""];
  },
};

/** Splits bytes into frames whose length is announced: a frame that is too long is refused before it arrives. */
class LengthFraming implements Framing {
  readonly #readHeader: (bytes: Buffer) => Header;
  readonly #listener: FrameListener;
  readonly #maxBytes: number;
  readonly #pieces = new Pieces();
  /** The length of the current frame; undefined while its header is unfinished. */
  #length: number | undefined;
  #isStopped = false;

  /** @param readHeader throws an Error with the reason when the bytes are not a header */
  constructor(readHeader: (bytes: Buffer) => Header, listener: FrameListener, maxBytes: number) {
    this.#readHeader = readHeader;
    this.#listener = listener;
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#pieces.size;
  }

  get partial(): string {
    return this.#pieces.peek().toString("utf8");
  }

  push(chunk: Buffer): void {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined && !this.#isStopped) {
      rest = this.#length === undefined ? this.#begin(rest) : this.#fill(rest, this.#length);
    }
  }

  /** An unfinished frame is dropped. */
  end(): void {
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    this.#pieces.clear();
  }

  /** Returns the bytes after the header, once it is complete. */
  #begin(chunk: Buffer): Buffer | undefined {
    if (chunk.length === 0) return undefined;
    this.#pieces.push(chunk);
    const bytes = this.#pieces.peek();
    try {
      const header = this.#readHeader(bytes);
      if (header === undefined) return undefined;
      const { length, headerBytes } = header;
      if (length > this.#maxBytes) {
        const why = `a message of ${length} bytes, more than ${this.#maxBytes}`;
        return this.#break(CloseCode.MessageTooBig, why);
      }
      this.#length = length;
      this.#pieces.clear();
      return bytes.subarray(headerBytes);
    } catch (error) {
      return this.#break(CloseCode.InvalidPayload, (error as Error).message);
    }
  }

  #fill(chunk: Buffer, length: number): Buffer | undefined {
    const taken = Math.min(chunk.length, length - this.#pieces.size);
    this.#pieces.push(chunk.subarray(0, taken));
    if (this.#pieces.size < length) return undefined;
    this.#length = undefined;
    this.#listener.frame(this.#pieces.take().toString("utf8"));
    return chunk.subarray(taken);
  }

  #break(code: number, why: string): undefined {
    this.stop();
    this.#listener.broken(code, why);
  }
}

function readPrefix(bytes: Buffer): Header {
  if (bytes.length < LENGTH_BYTES) return undefined;
  return { headerBytes: LENGTH_BYTES, length: bytes.readUInt32LE() };
}

function readContentLength(bytes: Buffer): Header {
  const end = bytes.indexOf(HEADER_END);
  const header = bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
  if (!isHeaderStart(header)) throw new Error("no header with Content-Length");
  if (end === -1) {
    if (bytes.length > MAX_HEADER_BYTES) throw new Error("a header without an end");
    return undefined;
  }
  const [, digits] = /^Content-Length: *(\d{1,15})$/im.exec(header) ?? [];
  if (digits === undefined) throw new Error("no header with Content-Length");
  return { headerBytes: end + HEADER_END.length, length: Number(digits) };
}

/** The first characters distinguish a header from a log line on stdout. */
function isHeaderStart(text: string): boolean {
  const start = text.slice(0, "content-".length).toLowerCase();
  return "content-".startsWith(start);
}
