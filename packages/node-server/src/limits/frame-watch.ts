import { type FrameHeader, FrameHeaderReader } from "../web-socket/frame-header.ts";

/** The approximate overhead of each piece in `ws`. */
const PIECE_BYTES = 256;

/**
 * Follows the framing of a WebSocket's incoming bytes (RFC 6455 section 5.2), and so knows whether
 * a message is begun and not finished, and how much of it is kept, which `ws` does not report.
 */
export class FrameWatch {
  readonly #headers = new FrameHeaderReader();
  #frame: FrameHeader | undefined;
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
      if (this.#frame === undefined) {
        this.#frame = this.#headers.push(bytes[offset++] as number);
        this.#payloadLeft = this.#frame?.payloadLength ?? 0;
      } else {
        const taken = Math.min(this.#payloadLeft, bytes.length - offset);
        this.#payloadLeft -= taken;
        this.#heldBytes += taken;
        offset += taken;
      }
      if (this.#frame !== undefined && this.#payloadLeft === 0) this.#endFrame(this.#frame);
    }
    const isOpen = this.#headers.isBegun || this.#frame !== undefined || this.#isFragmented;
    if (isOpen) {
      this.#unfinishedSince ??= now;
      this.#heldBytes += PIECE_BYTES;
    } else {
      this.#unfinishedSince = undefined;
      this.#heldBytes = 0;
    }
  }

  #endFrame({ isControl, isFinal, payloadLength }: FrameHeader): void {
    this.#frame = undefined;
    if (!isControl) this.#isFragmented = !isFinal;
    if (!this.#isFragmented) this.#heldBytes = 0;
    else if (isControl) this.#heldBytes -= payloadLength;
    else this.#heldBytes += PIECE_BYTES;
  }
}
