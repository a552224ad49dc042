import { finished, type Readable, type Writable } from "node:stream";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import { LOW_WATER_BYTES, MAX_FRAME_BYTES } from "@idewire/core/internal/base";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { Framing, FramingKind } from "./framing.ts";

/** How a connection over two streams has ended. */
export interface StreamEnding {
  readonly reason: CloseReason;
  /** `close` was called; or a stream ended or failed; or the input was not frames. */
  readonly cause: "closed" | "lost" | "broken";
}

/** The streams of a transport, and how it ends. */
export interface StreamEnds {
  readonly input: Readable;
  readonly output: Writable;
  /** Called once, after `end` of the output; resolves to what `onclose` gets. */
  settle(ending: StreamEnding): Promise<CloseReason>;
}

export interface StreamOptions {
  readonly framing: FramingKind;
  /** The size limit of a frame, 16 MiB by default; a longer one closes with 1009. */
  readonly maxFrameBytes?: number;
  /** The text to write for a frame: an equal JSON value, for example with more escapes. */
  readonly encode?: (frame: string) => string;
  /** Whether reading is to pause, as received frames are queued elsewhere. */
  readonly isFull?: () => boolean;
}

/** How long bytes are processed before timers, signals and other connections have their turn. */
const MAX_TURN_MS = 10;
/** The number of bytes processed between two checks of the time. */
const SLICE_BYTES = 4_096;
/** How long to pause while received frames are queued elsewhere. */
const FULL_MS = 10;
/** The limit of one write; a turn that sends more uses several, as strings have a maximal length. */
const MAX_WRITE = 1 << 20;
/** How long the other end has to read the output sent before a close. */
const OUTPUT_TIMEOUT_MS = 5_000;
/** How long it then has to close, too. */
const INPUT_TIMEOUT_MS = 1_000;

/** Frames over two streams of bytes, delimited by a given framing. */
class StreamTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #ends: StreamEnds;
  readonly #kind: FramingKind;
  readonly #framing: Framing;
  readonly #encode: (frame: string) => string;
  readonly #isFull: () => boolean;
  /** Bytes read in an earlier turn and not yet processed. */
  #unread: Buffer = Buffer.alloc(0);
  /** Whether nothing follows that. */
  #hasEnded = false;
  /** The output of this turn, in pieces. */
  #outbox: (string | Buffer)[] = [];
  #outboxSize = 0;
  #isClosing = false;

  constructor(ends: StreamEnds, options: StreamOptions) {
    const { framing, maxFrameBytes = MAX_FRAME_BYTES, encode = (frame) => frame } = options;
    this.#encode = encode;
    this.#isFull = options.isFull ?? (() => false);
    const { input, output } = ends;
    this.#ends = ends;
    this.#kind = framing;
    this.#framing = framing.read(
      {
        frame: (text) => this.onframe?.(text),
        broken: (code, reason) => this.#end({ reason: { code, reason }, cause: "broken" }),
      },
      maxFrameBytes,
    );
    input.on("data", (chunk: Buffer | string) => {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      this.#process(this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]));
    });
    input.on("end", () => {
      this.#hasEnded = true;
      if (this.#unread.length === 0) this.#endInput();
    });
    input.on("error", (error) => this.#lose(CloseCode.Abnormal, error.message));
    input.on("close", () => {
      if (!this.#hasEnded) this.#lose(CloseCode.Abnormal, "The input was cut off");
    });
    output.on("error", (error) => this.#lose(CloseCode.Abnormal, error.message));
    output.on("close", () => this.#lose(CloseCode.Abnormal, "The output was cut off"));
    output.on("drain", () => this.#drained());
  }

  get bufferedAmount(): number {
    return this.#outboxSize + this.#ends.output.writableLength;
  }

  /** The number of bytes of an incomplete frame. */
  get heldBytes(): number {
    return this.#framing.heldBytes;
  }

  /** Whether a frame with an announced length was received although the framing has none. */
  get hasLengths(): boolean {
    return this.#framing.hasLengths === true;
  }

  send(frame: string): void {
    if (this.#isClosing) return;
    if (this.#outbox.length === 0) process.nextTick(() => this.#flush());
    for (const piece of this.#kind.write(this.#encode(frame))) this.#write(piece);
  }

  partial(): string {
    return this.#framing.partial;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end({ reason: { code, reason }, cause: "closed" });
  }

  /** An input that arrives faster than it is processed does not block the rest of the program. */
  #process(bytes: Buffer): void {
    const startedMs = performance.now();
    let at = 0;
    while (at < bytes.length && !this.#isClosing) {
      this.#framing.push(bytes.subarray(at, at + SLICE_BYTES));
      at += SLICE_BYTES;
      if (performance.now() - startedMs >= MAX_TURN_MS || this.#isFull()) break;
    }
    this.#unread = this.#isClosing ? Buffer.alloc(0) : bytes.subarray(at);
    if (this.#hasEnded && this.#unread.length === 0) this.#endInput();
    const isFull = this.#isFull();
    if (this.#isClosing || (this.#unread.length === 0 && !isFull)) return;
    const { input } = this.#ends;
    input.pause();
    const goOn = () => {
      input.resume();
      this.#process(this.#unread);
    };
    if (isFull) setTimeout(goOn, FULL_MS);
    else setImmediate(goOn);
  }

  /** Short texts are joined with the preceding one; a long text would be copied once more. */
  #write(piece: string | Buffer): void {
    this.#outboxSize += piece.length;
    const last = this.#outbox.at(-1);
    const isJoined =
      typeof piece === "string" &&
      typeof last === "string" &&
      piece.length <= MAX_WRITE &&
      last.length <= MAX_WRITE;
    if (isJoined) this.#outbox[this.#outbox.length - 1] = last + piece;
    else if (piece.length > 0) this.#outbox.push(piece);
  }

  /** Everything sent in one turn leaves in one write. */
  #flush(): void {
    const pieces = this.#outbox;
    const size = this.#outboxSize;
    this.#outbox = [];
    this.#outboxSize = 0;
    const { output } = this.#ends;
    if (pieces.length > 1) output.cork();
    for (const piece of pieces) if (output.writable) output.write(piece);
    if (pieces.length > 1) output.uncork();
    if (size > LOW_WATER_BYTES && !output.writableNeedDrain) this.#drained();
  }

  #drained(): void {
    if (!this.#isClosing) this.ondrain?.();
  }

  #endInput(): void {
    this.#framing.end();
    this.#lose(CloseCode.Normal, "");
  }

  /** The streams ended by themselves. */
  #lose(code: number, reason: string): void {
    if (!this.#isClosing) this.#framing.push(this.#unread);
    this.#end({ reason: { code, reason }, cause: "lost" });
  }

  #end(ending: StreamEnding): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#framing.stop();
    // Not inside `close`: frames sent in this turn leave first.
    process.nextTick(() => {
      this.#ends.output.end();
      void this.#ends.settle(ending).then((reason) => this.onclose?.(reason));
    });
  }
}

/** The result of {@link openStream}. */
export type { StreamTransport };

/** Frames over two streams, by any framing. It owns both streams. */
export function openStream(
  ends: Omit<StreamEnds, "settle"> & Partial<StreamEnds>,
  options: StreamOptions,
): StreamTransport {
  return new StreamTransport({ settle: settleStreams(ends), ...ends }, options);
}

/** Waits, within limits, until the output has left and the other end has closed. */
function settleStreams({ input, output }: Omit<StreamEnds, "settle">): StreamEnds["settle"] {
  return async ({ reason }) => {
    // Further input is read and dropped: destroying the stream could discard sent output.
    input.resume();
    await untilFinished(output, { readable: false }, OUTPUT_TIMEOUT_MS);
    await untilFinished(input, { writable: false }, INPUT_TIMEOUT_MS);
    input.destroy();
    output.destroy();
    return reason;
  };
}

function untilFinished(
  stream: Readable | Writable,
  side: { readonly readable?: false; readonly writable?: false },
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    finished(stream, side, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
