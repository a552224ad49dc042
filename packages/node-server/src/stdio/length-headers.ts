const HEADER = /^Content-Length: *(\d{1,9})\r?$/i;

/**
 * Finds messages that a program announces by `Content-Length`, as in LSP, in place of MCP's one message per line:
 * such a message has no newline after it. Only JSON of exactly that length counts, so that a program which prints
 * HTTP headers is not misread.
 */
export class LengthHeaders {
  /** The length after a header; undefined without one. */
  #length: number | undefined;
  #hasHeaderEnded = false;
  #hasFound = false;

  /** Whether there was such a message. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Whether the end of a message is expected in front of the next newline. */
  get isExpecting(): boolean {
    return this.#hasHeaderEnded;
  }

  /**
   * Reads a line that does not start with a brace.
   * @returns whether it is part of a header
   */
  read(line: string): boolean {
    const [, length] = HEADER.exec(line) ?? [];
    if (length !== undefined) {
      this.#length = Number(length);
      this.#hasHeaderEnded = false;
      return true;
    }
    const isOther = this.#length === undefined || this.#hasHeaderEnded;
    if (isOther || !/^(?:[\w-]+:.*)?\r?$/.test(line)) return false;
    this.#hasHeaderEnded = line.trim() === "";
    return true;
  }

  /** The message at the start of a text, and its length in bytes; undefined if it is incomplete or not a message. */
  takeFrom(text: string): { readonly message: string; readonly bytes: number } | undefined {
    const bytes = this.#length ?? 0;
    const message = Buffer.from(text).subarray(0, bytes).toString("utf8");
    if (!this.#hasHeaderEnded || Buffer.byteLength(message) !== bytes || !isObjectText(message)) {
      return undefined;
    }
    this.#length = undefined;
    this.#hasHeaderEnded = false;
    this.#hasFound = true;
    return { message, bytes };
  }
}

function isObjectText(text: string): boolean {
  try {
    return text.startsWith("{") && JSON.parse(text) !== null;
  } catch {
    return false;
  }
}
