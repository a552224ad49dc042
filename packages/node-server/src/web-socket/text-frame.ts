import { randomFillSync } from "node:crypto";

/** FIN, and the opcode of a text frame. */
const TEXT = 0x81;
const MASKED = 0x80;
/** The longest payload whose length fits the second byte, and the value of that byte for a longer one. */
const MAX_SHORT = 125;
const LENGTH_16 = 126;

/**
 * Encodes a text frame (RFC 6455 section 5.2) in one buffer.
 * @param frame at most 21,845 UTF-16 units, each of which takes at most three bytes
 * @param isMasked as required of clients
 * @param isKept for a frame that may be held for long: it shares no memory with others, which would be retained
 * with it
 */
export function formatTextFrame(frame: string, isMasked: boolean, isKept = false): Buffer {
  const length = Buffer.byteLength(frame);
  const isLong = length > MAX_SHORT;
  const maskAt = isLong ? 4 : 2;
  const payloadAt = isMasked ? maskAt + 4 : maskAt;
  const size = payloadAt + length;
  const bytes = isKept ? Buffer.allocUnsafeSlow(size) : Buffer.allocUnsafe(size);
  const maskBit = isMasked ? MASKED : 0;
  bytes[0] = TEXT;
  bytes[1] = maskBit | (isLong ? LENGTH_16 : length);
  if (isLong) bytes.writeUInt16BE(length, 2);
  bytes.write(frame, payloadAt);
  if (isMasked) mask(bytes, maskAt);
  return bytes;
}

/** Masks must be unpredictable (RFC 6455 section 5.3); they are generated in bulk to save calls. */
const masks: Buffer = Buffer.allocUnsafeSlow(1 << 12);
let usedMasks: number = masks.length;

/** Chooses a mask, writes it at `start`, and applies it to what follows. */
function mask(bytes: Buffer, start: number): void {
  if (usedMasks === masks.length) {
    randomFillSync(masks);
    usedMasks = 0;
  }
  for (let index = 0; index < 4; index += 1) bytes[start + index] = masks[usedMasks++] as number;
  for (let index = start + 4; index < bytes.length; index += 1) {
    bytes[index] = (bytes[index] as number) ^ (bytes[start + ((index - start) & 3)] as number);
  }
}
