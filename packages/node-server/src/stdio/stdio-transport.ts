import { finished, type Readable, type Writable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { LOW_WATER_BYTES, MAX_FRAME_BYTES } from "@idewire/core/internal/base";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { NodeReadable, NodeWritable } from "../process/node-types.ts";
import { LengthFraming } from "./length-framing.ts";
import { LineSplitter } from "./line-splitter.ts";

/** What a stdio transport may cost. */
export interface StdioOptions {
  /** 16 MiB. A longer line closes with 1009. */
  readonly maxFrameBytes?: number;
  /** What is written for a frame: the same value, such as with more escapes. */
  readonly encode?: (frame: string) => string;
}

/** How a conversation over two streams was ended. */
export interface StdioEnding {
  readonly reason: CloseReason;
  /** `close` was called; otherwise a stream ended or broke. */
  readonly byUs: boolean;
}

/**
 * The streams of a stdio transport, and what has to end before it says that it has closed.
 * @internal
 */
export interface StdioEnds {
  readonly input: Readable;
  readonly output: Writable;
  /** Called once, after `end` of the output; resolves to what `onclose` gets. */
  settle(ending: StdioEnding): Promise<CloseReason>;
}

const OPENING_BRACE = 0x7b;
/** A turn that sends more than this does so in several writes: a string has a longest length. */
const MAX_WRITE = 1 << 20;
/** How long the other end has to read what was sent before a close. */
const OUTPUT_TIMEOUT_MS = 5_000;
/** How long it then has to end as well. */
const INPUT_TIMEOUT_MS = 1_000;

class StdioTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #ends: StdioEnds;
  readonly #lines: LineSplitter;
  readonly #encode: (frame: string) => string;
  readonly #framing = new LengthFraming();
  /** What this turn sends, in the pieces in which it is written. */
  #outbox: string[] = [];
  #outboxSize = 0;
  #isClosing = false;

  constructor(ends: StdioEnds, options: StdioOptions) {
    const { maxFrameBytes = MAX_FRAME_BYTES, encode = (frame) => frame } = options;
    this.#encode = encode;
    const { input, output } = ends;
    this.#ends = ends;
    this.#lines = new LineSplitter(maxFrameBytes, {
      line: (text) => this.#receive(text),
      tooLong: () => {
        this.close(CloseCode.MessageTooBig, `A frame is longer than ${maxFrameBytes} bytes`);
      },
    });
    input.on("data", (chunk: Buffer | string) => {
      this.#lines.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      if (this.#framing.isExpecting) this.#receivePending();
    });
    input.on("end", () => {
      this.#lines.end();
      this.#lose(CloseCode.Normal, "");
    });
    input.on("error", (error) => this.#lose(CloseCode.Abnormal, error.message));
    input.on("close", () => this.#lose(CloseCode.Abnormal, "The input was cut off"));
    output.on("error", (error) => this.#lose(CloseCode.Abnormal, error.message));
    output.on("close", () => this.#lose(CloseCode.Abnormal, "The output was cut off"));
    output.on("drain", () => this.#drained());
  }

  get bufferedAmount(): number {
    return this.#outboxSize + this.#ends.output.writableLength;
  }

  send(frame: string): void {
    if (this.#isClosing) return;
    // JSON has line breaks between its tokens only, where a space says the same.
    const line = this.#encode(frame.includes("\n") ? frame.replaceAll("\n", " ") : frame);
    const last = this.#outbox.length - 1;
    const piece = this.#outbox[last];
    if (piece === undefined) process.nextTick(() => this.#flush());
    // With something after it, what is long would be copied once more.
    if (line.length > MAX_WRITE) this.#outbox.push(line, "\n");
    else if (piece === undefined || piece.length > MAX_WRITE) this.#outbox.push(`${line}\n`);
    else this.#outbox[last] = `${piece}${line}\n`;
    this.#outboxSize += line.length + 1;
  }

  partial(): string {
    return this.#lines.pending;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end({ reason: { code, reason }, byUs: true });
  }

  #receive(line: string): void {
    if (line.charCodeAt(0) === OPENING_BRACE && !this.#framing.isExpecting) this.onframe?.(line);
    else if (!this.#framing.readHeader(line)) this.#receiveFramed(line);
  }

  /** A line that may begin with a message whose length was given, and go on with the header of the next. */
  #receiveFramed(line: string): void {
    const found = this.#framing.takeFrom(line);
    this.onframe?.(found?.message ?? line);
    const rest = found && Buffer.from(line).subarray(found.bytes).toString("utf8");
    if (rest) this.#receive(rest);
  }

  /** Takes a message whose length was given as soon as it is whole: no newline follows it. */
  #receivePending(): void {
    const found = this.#framing.takeFrom(this.#lines.pending);
    if (found === undefined) return;
    this.#lines.skip(found.bytes);
    this.onframe?.(found.message);
  }

  /** Everything that is sent in one turn leaves in one write. */
  #flush(): void {
    const chunks = this.#outbox;
    const size = this.#outboxSize;
    this.#outbox = [];
    this.#outboxSize = 0;
    const { output } = this.#ends;
    for (const piece of chunks) if (output.writable) output.write(piece);
    if (size > LOW_WATER_BYTES && !output.writableNeedDrain) this.#drained();
  }

  #drained(): void {
    if (!this.#isClosing) this.ondrain?.();
  }

  /** The streams ended by themselves. */
  #lose(code: number, reason: string): void {
    this.#end({ reason: { code, reason }, byUs: false });
  }

  #end(ending: StdioEnding): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#lines.stop();
    // Not from inside close: what was sent in this turn leaves first.
    process.nextTick(() => {
      this.#ends.output.end();
      void this.#ends.settle(ending).then((reason) => this.onclose?.(reason));
    });
  }
}

/**
 * Frames as lines over two streams, such as a program's own stdin and stdout: MCP's stdio
 * transport, either end. It owns both streams. The end of the input is the other end's close, after
 * which a last line without a newline is still a frame; a code and a reason are not carried.
 */
export function createStdioTransport(
  input: NodeReadable,
  output: NodeWritable,
  options: StdioOptions = {},
): Transport {
  const streams = { input: input as Readable, output: output as Writable };
  return openStdio({ ...streams, settle: settleStreams(streams) }, options);
}

/**
 * The same, where more than the streams has to end.
 * @internal
 */
export function openStdio(ends: StdioEnds, options: StdioOptions): Transport {
  return new StdioTransport(ends, options);
}

/** Waits until what was sent has left and the other end has ended too, within bounds. */
function settleStreams({ input, output }: Omit<StdioEnds, "settle">): StdioEnds["settle"] {
  return async ({ reason }) => {
    // What still comes is read and dropped: to cut it off could take with it what was sent.
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
