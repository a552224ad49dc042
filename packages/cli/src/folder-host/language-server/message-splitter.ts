/** Far longer than any header of the base protocol. */
const MAX_HEADER_BYTES = 4_096;

const HEADER_END = "\r\n\r\n";

/** Receives the results of a {@link MessageSplitter}. */
export interface MessageReader {
  message(text: string): void;
  /** The bytes are not messages; nothing follows. */
  broken(why: string): void;
}

/** Splits bytes into messages by LSP's base protocol: `Content-Length`, an empty line, the body. */
export class MessageSplitter {
  readonly #maxBytes: number;
  readonly #reader: MessageReader;
  #header: Buffer = Buffer.alloc(0);
  /** The body of the current message; filled as it arrives, so that a thousand pieces cost no more than one. */
  #body: Buffer | undefined;
  #filled = 0;
  #isStopped = false;

  constructor(maxBytes: number, reader: MessageReader) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  push(chunk: Buffer): void {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined && !this.#isStopped) {
      rest = this.#body === undefined ? this.#readHeader(rest) : this.#readBody(this.#body, rest);
    }
  }

  /** Stops reading. */
  stop(): void {
    this.#isStopped = true;
    this.#body = undefined;
    this.#header = Buffer.alloc(0);
  }

  /** Returns the bytes after the header, once it is complete. */
  #readHeader(chunk: Buffer): Buffer | undefined {
    if (chunk.length === 0) return undefined;
    const bytes = this.#header.length === 0 ? chunk : Buffer.concat([this.#header, chunk]);
    const end = bytes.indexOf(HEADER_END);
    const header = bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
    if (!isHeaderStart(header)) return this.#break("no header with Content-Length");
    if (end === -1) {
      if (bytes.length > MAX_HEADER_BYTES) return this.#break("a header without an end");
      this.#header = bytes;
      return undefined;
    }
    const [, digits] = /^Content-Length: *(\d{1,15})$/im.exec(header) ?? [];
    if (digits === undefined) return this.#break("no header with Content-Length");
    const length = Number(digits);
    if (length > this.#maxBytes) {
      return this.#break(`a message of ${length} bytes, more than ${this.#maxBytes}`);
    }
    this.#header = Buffer.alloc(0);
    this.#body = Buffer.allocUnsafe(length);
    this.#filled = 0;
    return bytes.subarray(end + HEADER_END.length);
  }

  #readBody(body: Buffer, chunk: Buffer): Buffer | undefined {
    const taken = chunk.copy(body, this.#filled);
    this.#filled += taken;
    if (this.#filled < body.length) return undefined;
    this.#body = undefined;
    this.#reader.message(body.toString("utf8"));
    return chunk.subarray(taken);
  }

  #break(why: string): undefined {
    this.stop();
    this.#reader.broken(why);
  }
}

/** The first characters distinguish a header from a log line on stdout. */
function isHeaderStart(text: string): boolean {
  const start = text.slice(0, "content-".length).toLowerCase();
  return "content-".startsWith(start);
}
