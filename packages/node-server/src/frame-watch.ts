const CONTINUATION = 0;
const BINARY = 2;

/**
 * Follows the framing of a WebSocket's incoming bytes (RFC 6455 section 5.2), and so knows whether
 * a message is begun and not finished, which `ws` does not tell.
 */
export class FrameWatch {
  readonly #header = new Uint8Array(14);
  #headerLength = 0;
  #payloadLeft = 0;
  #isFragmented = false;
  #unfinishedSince: number | undefined;

  /** When the message that is not finished yet began, by the clock of {@link FrameWatch.push}. */
  get unfinishedSince(): number | undefined {
    return this.#unfinishedSince;
  }

  /** Takes the bytes that came. */
  push(bytes: Uint8Array, now: number): void {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, bytes.length - offset);
        this.#payloadLeft -= taken;
        offset += taken;
        if (this.#payloadLeft === 0) this.#endFrame();
      } else {
        this.#header[this.#headerLength++] = bytes[offset++] as number;
        this.#readHeader();
      }
    }
    const isOpen = this.#headerLength > 0 || this.#isFragmented;
    if (!isOpen) this.#unfinishedSince = undefined;
    else this.#unfinishedSince ??= now;
  }

  /** Goes on to the payload when the header is complete; the header stays until the frame ends. */
  #readHeader(): void {
    const second = this.#header[1] as number;
    if (this.#headerLength < 2) return;
    const short = second & 0x7f;
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
    const mask = second & 0x80 ? 4 : 0;
    if (this.#headerLength < 2 + extended + mask) return;
    let length = extended === 0 ? short : 0;
    for (let index = 0; index < extended; index += 1) {
      length = length * 256 + (this.#header[2 + index] as number);
    }
    this.#payloadLeft = length;
    if (length === 0) this.#endFrame();
  }

  #endFrame(): void {
    const first = this.#header[0] as number;
    const opcode = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    if (opcode >= CONTINUATION && opcode <= BINARY) this.#isFragmented = !isFinal;
    this.#headerLength = 0;
  }
}
