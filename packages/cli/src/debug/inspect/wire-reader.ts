import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import { type FrameHeader, FrameHeaderReader } from "./frame-header.ts";
import { Inflater } from "./inflater.ts";

/** An item sent by one end of a WebSocket, as far as it can be understood. */
export type WireItem =
  | {
      readonly kind: "message";
      readonly isBinary: boolean;
      /** The whole message, or the beginning of one that is too long to be stored. */
      readonly bytes: Buffer;
      /** The length of the message; that of `bytes` unless it is only the beginning. */
      readonly size: number;
      /** The number of its frames. */
      readonly chunks: number;
    }
  | { readonly kind: "ping" | "pong"; readonly bytes: Buffer }
  /** The code is 1005 if the frame has none. */
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  /** It violates RFC 6455: later bytes are not understood. */
  | { readonly kind: "broken"; readonly why: string };

/** The options of a {@link WireReader}. */
export interface WireReaderOptions {
  /** Messages are compressed (RFC 7692). */
  readonly inflates?: { readonly keepsContext: boolean } | undefined;
  /** The memory budget of several readers' unfinished messages; a separate one by default. */
  readonly memory?: MessageMemory;
  readonly onitem: (item: WireItem) => void;
}

/** How much is stored of a message above the limit that every end must accept. */
export const BEGINNING_BYTES: number = 1 << 16;

const CONTINUATION = 0;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const NO_CODE = 1005;
const MAX_CONTROL = 125;
const MIN_STORE_BYTES = 256;
const NOTHING: Buffer = Buffer.alloc(0);

/** The memory that the unfinished messages of several connections share. */
export class MessageMemory {
  #left = 2 * MAX_FRAME_BYTES;

  /** Takes this much; false if it is not available. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#left += bytes;
  }
}

/** An unfinished message. */
interface Unfinished {
  readonly isBinary: boolean;
  readonly isCompressed: boolean;
  /** The stored bytes, at the beginning of a growing buffer. */
  store: Buffer;
  kept: number;
  size: number;
  chunks: number;
  /** Whether memory was available for its beginning only. */
  isCut: boolean;
}

/**
 * Decodes what one end of a WebSocket sends (RFC 6455 section 5), without changing the bytes. Never throws;
 * reports the first violation, and nothing from then on.
 */
export class WireReader {
  readonly #onitem: WireReaderOptions["onitem"];
  readonly #inflater: Inflater | undefined;
  readonly #memory: MessageMemory;
  readonly #headers = new FrameHeaderReader();
  #frame: FrameHeader | undefined;
  #payloadLeft = 0;
  /** The position in the frame's mask. */
  #maskAt = 0;
  #message: Unfinished | undefined;
  #control: Buffer[] = [];
  #isBroken = false;

  constructor({ inflates, memory = new MessageMemory(), onitem }: WireReaderOptions) {
    this.#onitem = onitem;
    this.#memory = memory;
    this.#inflater = inflates && new Inflater(inflates.keepsContext);
  }

  /** Whether a frame could be inserted here, between two others. */
  get isBetweenFrames(): boolean {
    return !this.#isBroken && this.#frame === undefined && !this.#headers.isBegun;
  }

  /** Reads the bytes that were sent. */
  push(bytes: Buffer): void {
    let offset = 0;
    while (offset < bytes.length && !this.#isBroken) {
      if (this.#frame === undefined) {
        const header = this.#headers.push(bytes[offset++] as number);
        if (header !== undefined) this.#readHeader(header);
      } else {
        const taken = Math.min(this.#payloadLeft, bytes.length - offset);
        this.#takePayload(this.#frame, bytes.subarray(offset, offset + taken));
        offset += taken;
      }
    }
  }

  #readHeader(header: FrameHeader): void {
    const why = this.#inspect(header);
    if (why !== undefined) this.#break(why);
    else this.#begin(header);
  }

  /** The fault of a header, if any. */
  #inspect(header: FrameHeader): string | undefined {
    const { isFinal, isCompressed, isControl, opcode, payloadLength: size } = header;
    if (!Number.isSafeInteger(size)) return `a frame of ${size} bytes`;
    if (header.hasUnknownBits) return "a frame with a reserved bit";
    if (isControl && (opcode < CLOSE || opcode > PONG)) {
      return `a frame with the unknown opcode ${opcode}`;
    }
    if (isControl) {
      if (isCompressed) return "a compressed control frame";
      return isFinal && size <= MAX_CONTROL ? undefined : `a control frame of ${size} bytes`;
    }
    if (isCompressed && this.#inflater === undefined)
      return "a compressed frame, without negotiation";
    if (opcode === CONTINUATION) {
      if (isCompressed) return "a continuation marked as compressed";
      return this.#message === undefined ? "a continuation without a message" : undefined;
    }
    return this.#message === undefined ? undefined : "a message within another one";
  }

  #begin(frame: FrameHeader): void {
    const { opcode, isCompressed, isControl, payloadLength: size } = frame;
    this.#frame = frame;
    this.#payloadLeft = size;
    this.#maskAt = 0;
    if (!isControl) {
      this.#message ??= {
        ...{ isBinary: opcode === BINARY, isCompressed },
        ...{ store: NOTHING, kept: 0, size: 0, chunks: 0, isCut: false },
      };
      this.#message.chunks += 1;
      this.#message.size += size;
    }
    if (size === 0) this.#endFrame(frame);
  }

  #takePayload(frame: FrameHeader, bytes: Buffer): void {
    const { mask, isControl } = frame;
    if (isControl) {
      this.#control.push(unmask(Buffer.from(bytes), mask, this.#maskAt));
    } else if (this.#message !== undefined) {
      this.#keep(this.#message, bytes, (kept) => unmask(kept, mask, this.#maskAt));
    }
    this.#maskAt = (this.#maskAt + bytes.length) & 3;
    this.#payloadLeft -= bytes.length;
    if (this.#payloadLeft === 0) this.#endFrame(frame);
  }

  /** Appends bytes to the store; many small pieces cost no more than one large one. */
  #keep(message: Unfinished, bytes: Buffer, unmasked: (kept: Buffer) => Buffer): void {
    const isLong = message.isCut || message.size > MAX_FRAME_BYTES;
    const limit = isLong ? BEGINNING_BYTES : MAX_FRAME_BYTES;
    const end = Math.min(limit, message.kept + bytes.length);
    if (end <= message.kept) return;
    const { length } = message.store;
    if (end > length) {
      const larger = Math.min(limit, Math.max(end, length * 2, MIN_STORE_BYTES));
      message.isCut ||= !this.#memory.take(larger - length);
      if (message.isCut) return;
      const store = Buffer.allocUnsafeSlow(larger);
      message.store.copy(store, 0, 0, message.kept);
      message.store = store;
    }
    const kept = message.store.subarray(message.kept, end);
    bytes.copy(kept);
    unmasked(kept);
    message.kept = end;
  }

  #endFrame({ opcode, isControl, isFinal }: FrameHeader): void {
    this.#frame = undefined;
    if (isControl) this.#endControl(opcode);
    else if (isFinal && this.#message !== undefined) {
      const message = this.#message;
      this.#endMessage(message);
      this.#forget();
    }
  }

  /** Nothing more is sent. */
  close(): void {
    this.#forget();
  }

  #forget(): void {
    this.#memory.release(this.#message?.store.length ?? 0);
    this.#message = undefined;
  }

  #endControl(opcode: number): void {
    const bytes = Buffer.concat(this.#control.splice(0));
    if (opcode === CLOSE) {
      const code = bytes.length < 2 ? NO_CODE : bytes.readUInt16BE(0);
      this.#onitem({ kind: "close", code, reason: bytes.subarray(2).toString() });
    } else this.#onitem({ kind: opcode === PING ? "ping" : "pong", bytes });
  }

  #endMessage(message: Unfinished): void {
    const { isBinary, isCompressed, store, kept, size, chunks, isCut } = message;
    const isLong = isCut || size > MAX_FRAME_BYTES;
    const bytes = store.subarray(0, isLong ? Math.min(kept, BEGINNING_BYTES) : kept);
    if (isCompressed) this.#inflate(bytes, { isBinary, isLong, chunks });
    else this.#onitem({ kind: "message", isBinary, bytes, size, chunks });
  }

  #inflate(
    bytes: Buffer,
    { isLong, ...facts }: { readonly isBinary: boolean; isLong: boolean; chunks: number },
  ): void {
    const whole = isLong ? undefined : this.#inflater?.inflate(bytes, MAX_FRAME_BYTES);
    if (whole === undefined) this.#break("a compressed message that cannot be read");
    else this.#onitem({ kind: "message", ...facts, bytes: whole, size: whole.length });
  }

  #break(why: string): void {
    this.#isBroken = true;
    this.#forget();
    this.#onitem({ kind: "broken", why });
  }
}

/** Works in place; masking and unmasking are the same operation. */
function unmask(bytes: Buffer, mask: readonly number[], from: number): Buffer {
  if (mask.length === 0) return bytes;
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = (bytes[index] as number) ^ (mask[(from + index) & 3] as number);
  }
  return bytes;
}
