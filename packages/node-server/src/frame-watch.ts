/** The last opcode of a message; control frames have higher ones. */
const BINARY = 2;
/** What `ws` keeps of each piece beside its bytes, about. */
const PIECE_BYTES = 256;

/**
 * Follows the framing of a WebSocket's incoming bytes (RFC 6455 section 5.2), and so knows whether
 * a message is begun and not finished, and what is kept of it, which `ws` does not tell.
 */
export class FrameWatch {
  /** How many bytes of the header have come, how many it has, and how many before the mask. */
  #headerLength = 0;
  #headerEnd = 2;
  #lengthEnd = 2;
  #firstByte = 0;
  #payloadLength = 0;
  #payloadLeft = 0;
  #isFragmented = false;
  #unfinishedSince: number | undefined;
  #heldBytes = 0;

  /** When the message that is not finished yet began, by the clock of {@link FrameWatch.push}. */
  get unfinishedSince(): number | undefined {
    return this.#unfinishedSince;
  }

  /** What the pieces of that message take, about. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Takes the bytes that came. */
  push(bytes: Uint8Array, now: number): void {
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, bytes.length - offset);
        this.#payloadLeft -= taken;
        this.#heldBytes += taken;
        offset += taken;
        if (this.#payloadLeft === 0) this.#endFrame();
      } else {
        this.#readHeader(bytes[offset++] as number);
      }
    }
    const isOpen = this.#headerLength > 0 || this.#isFragmented;
    if (isOpen) {
      this.#unfinishedSince ??= now;
      this.#heldBytes += PIECE_BYTES;
    } else {
      this.#unfinishedSince = undefined;
      this.#heldBytes = 0;
    }
  }

  /** Goes on to the payload when the header is complete. */
  #readHeader(byte: number): void {
    const index = this.#headerLength++;
    if (index === 0) this.#firstByte = byte;
    else if (index === 1) this.#readLength(byte);
    else if (index < this.#lengthEnd) this.#payloadLength = this.#payloadLength * 256 + byte;
    if (this.#headerLength < this.#headerEnd) return;
    this.#payloadLeft = this.#payloadLength;
    if (this.#payloadLeft === 0) this.#endFrame();
  }

  /** The second byte: the payload's length, or how many bytes tell it, and whether a mask follows. */
  #readLength(byte: number): void {
    const short = byte & 0x7f;
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
    this.#payloadLength = extended === 0 ? short : 0;
    this.#lengthEnd = 2 + extended;
    this.#headerEnd = this.#lengthEnd + (byte & 0x80 ? 4 : 0);
  }

  #endFrame(): void {
    const opcode = this.#firstByte & 0x0f;
    const isFinal = (this.#firstByte & 0x80) !== 0;
    const isControl = opcode > BINARY;
    if (!isControl) this.#isFragmented = !isFinal;
    if (!this.#isFragmented) this.#heldBytes = 0;
    else if (isControl) this.#heldBytes -= this.#payloadLength;
    else this.#heldBytes += PIECE_BYTES;
    this.#headerLength = 0;
    this.#headerEnd = 2;
  }
}
