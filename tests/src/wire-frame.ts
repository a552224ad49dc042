/** The fields of a frame, valid or not. */
export interface WireFrame {
  readonly opcode: number;
  readonly payload: Uint8Array;
  readonly isFinal?: boolean;
  readonly bits?: number;
  readonly mask?: Uint8Array | undefined;
}

/** Encodes a frame by RFC 6455 section 5.2. */
export function wireFrame({ opcode, payload, isFinal = true, bits = 0, mask }: WireFrame): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? 0x80 : 0) | bits | opcode;
  head[1] = (mask ? 0x80 : 0) | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (mask === undefined) return Buffer.concat([head, payload]);
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  return Buffer.concat([head, mask, masked]);
}
