import { randomFillSync } from "node:crypto";

/** What a turn may send before it takes another buffer; 64 calls or answers fit. */
const SIZE = 1 << 14;
/** The longest frame that is put here, in UTF-16 units, each of which has three bytes at most. */
export const SMALL_FRAME: number = 1 << 10;
/** FIN, and the opcode of a text frame. */
const TEXT = 0x81;
const MASKED = 0x80;
/** The longest payload whose length fits the second byte, and the value of that byte for a longer one. */
const MAX_SHORT = 125;
const LENGTH_16 = 126;
const MAX_HEADER = 8;

/**
 * The small text frames that one connection sends in one turn, as they go over the wire (RFC 6455
 * section 5.2): one piece of memory, handed to the system in one write.
 */
export class FrameBuffer {
  readonly #bytes: Buffer = Buffer.allocUnsafeSlow(SIZE);
  /** What has been taken ends here. */
  #start = 0;
  #end = 0;

  /** How many bytes wait to be taken. */
  get size(): number {
    return this.#end - this.#start;
  }

  hasRoomFor(frame: string): boolean {
    return this.#end + MAX_HEADER + 3 * frame.length <= SIZE;
  }

  /**
   * Adds a frame for which there is room.
   * @param isMasked as a client has to
   */
  add(frame: string, isMasked: boolean): void {
    const bytes = this.#bytes;
    const isLong = isLongerThanShort(frame);
    const maskAt = this.#end + (isLong ? 4 : 2);
    const payloadAt = isMasked ? maskAt + 4 : maskAt;
    const length = bytes.write(frame, payloadAt);
    bytes[this.#end] = TEXT;
    const maskBit = isMasked ? MASKED : 0;
    if (isLong) {
      bytes[this.#end + 1] = maskBit | LENGTH_16;
      bytes.writeUInt16BE(length, this.#end + 2);
    } else {
      bytes[this.#end + 1] = maskBit | length;
    }
    this.#end = payloadAt + length;
    if (isMasked) mask(bytes, maskAt, this.#end);
  }

  /** The frames since the last time: valid until {@link FrameBuffer.clear}. */
  take(): Buffer {
    const frames = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return frames;
  }

  /** Empties the buffer, when what was taken is no longer read. */
  clear(): void {
    this.#start = 0;
    this.#end = 0;
  }
}

/** One text frame of a server, for many connections. */
export function formatTextFrame(frame: string): Buffer {
  const buffer = new FrameBuffer();
  buffer.add(frame, false);
  return Buffer.from(buffer.take());
}

function isLongerThanShort(frame: string): boolean {
  if (frame.length > MAX_SHORT) return true;
  return 3 * frame.length > MAX_SHORT && Buffer.byteLength(frame) > MAX_SHORT;
}

/** Masks must not be foreseen (RFC 6455 section 5.3); one by one they would cost a call each. */
const masks: Buffer = Buffer.allocUnsafeSlow(1 << 12);
let usedMasks: number = masks.length;

/** Chooses a mask, writes it at `start`, and applies it to what follows, up to `end`. */
function mask(bytes: Buffer, start: number, end: number): void {
  if (usedMasks === masks.length) {
    randomFillSync(masks);
    usedMasks = 0;
  }
  for (let index = 0; index < 4; index += 1) bytes[start + index] = masks[usedMasks++] as number;
  for (let index = start + 4; index < end; index += 1) {
    bytes[index] = (bytes[index] as number) ^ (bytes[start + ((index - start) & 3)] as number);
  }
}
