/** The highest opcode of a message; those of control frames are higher. */
const BINARY = 2;

/** The header of a WebSocket frame (RFC 6455 section 5.2). */
export interface FrameHeader {
  readonly isFinal: boolean;
  /** The first of the three reserved bits: with RFC 7692, the message is compressed. */
  readonly isCompressed: boolean;
  readonly hasUnknownBits: boolean;
  readonly opcode: number;
  readonly isControl: boolean;
  /** In bytes; may exceed the safe integers if a frame claims so. */
  readonly payloadLength: number;
  /** Four bytes, or none. */
  readonly mask: readonly number[];
}

/** Reads the headers of frames byte by byte. */
export class FrameHeaderReader {
  #first = 0;
  #payloadLength = 0;
  #mask: number[] = [];
  /** The number of bytes received, and the offsets of the mask and of the header's end. */
  #come = 0;
  #maskStart = 2;
  #end = 2;

  /** Whether a header is incomplete. */
  get isBegun(): boolean {
    return this.#come > 0;
  }

  /** Returns the header if this byte completes it; the next byte starts another. */
  push(byte: number): FrameHeader | undefined {
    const index = this.#come++;
    if (index === 0) this.#first = byte;
    else if (index === 1) this.#readLength(byte);
    else if (index < this.#maskStart) this.#payloadLength = this.#payloadLength * 256 + byte;
    else this.#mask.push(byte);
    return this.#come < this.#end ? undefined : this.#complete();
  }

  /** Reads the payload's length, or the size of its length field, and whether a mask follows. */
  #readLength(byte: number): void {
    const short = byte & 0x7f;
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
    this.#payloadLength = extended === 0 ? short : 0;
    this.#maskStart = 2 + extended;
    this.#end = this.#maskStart + (byte & 0x80 ? 4 : 0);
  }

  #complete(): FrameHeader {
    const opcode = this.#first & 0x0f;
    const header: FrameHeader = {
      isFinal: (this.#first & 0x80) !== 0,
      isCompressed: (this.#first & 0x40) !== 0,
      hasUnknownBits: (this.#first & 0x30) !== 0,
      opcode,
      isControl: opcode > BINARY,
      payloadLength: this.#payloadLength,
      mask: this.#mask,
    };
    this.#come = 0;
    this.#end = 2;
    this.#mask = [];
    return header;
  }
}
