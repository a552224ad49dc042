import { constants, inflateRawSync } from "node:zlib";

/** How far back a compressed message may refer (RFC 1951 section 2). */
const WINDOW_BYTES = 1 << 15;
/** The end of each message, which senders leave out (RFC 7692 section 7.2.2). */
const TAIL: Buffer = Buffer.from([0, 0, 0xff, 0xff]);

/** Reads the compressed messages of one end of a WebSocket, in order (RFC 7692). */
export class Inflater {
  readonly #keepsContext: boolean;
  #window: Buffer = Buffer.alloc(0);

  /** @param keepsContext a message may refer to those before it */
  constructor(keepsContext: boolean) {
    this.#keepsContext = keepsContext;
  }

  /** The message; undefined if it is damaged or too long. */
  inflate(bytes: Buffer, maxBytes: number): Buffer | undefined {
    try {
      const whole = inflateRawSync(Buffer.concat([bytes, TAIL]), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: maxBytes,
        ...(this.#window.length > 0 && { dictionary: this.#window }),
      });
      if (this.#keepsContext) this.#remember(whole);
      return whole;
    } catch {
      return undefined;
    }
  }

  #remember(whole: Buffer): void {
    const seen = Buffer.concat([this.#window, whole.subarray(-WINDOW_BYTES)]);
    this.#window = Buffer.from(seen.subarray(-WINDOW_BYTES));
  }
}
