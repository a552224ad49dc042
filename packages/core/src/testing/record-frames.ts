import type { RequestId } from "../rpc/message.ts";
import type { CloseReason, Transport } from "../rpc/transport.ts";

/** A recorded frame, seen from the recorded end. */
export interface RecordedFrame {
  readonly direction: "in" | "out";
  /** Milliseconds since the recorder was created. */
  readonly timeMs: number;
  readonly frame: string;
}

/** A transport that records its frames. */
export interface FrameRecorder extends Transport {
  readonly frames: readonly RecordedFrame[];
  /** Why it closed; undefined while it is open. */
  readonly closeReason: CloseReason | undefined;
}

class RecordingTransport implements FrameRecorder {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly frames: RecordedFrame[] = [];
  closeReason: CloseReason | undefined;
  readonly #inner: Transport;
  readonly #now: () => number;
  readonly #startMs: number;

  constructor(inner: Transport, now: () => number) {
    this.#inner = inner;
    this.#now = now;
    this.#startMs = now();
    inner.onframe = (frame) => {
      this.#record("in", frame);
      this.onframe?.(frame);
    };
    inner.ondrain = () => this.ondrain?.();
    inner.onclose = (reason) => {
      this.closeReason = reason;
      this.onclose?.(reason);
    };
  }

  get bufferedAmount(): number {
    return this.#inner.bufferedAmount;
  }

  send(frame: string, about?: RequestId): void {
    this.#record("out", frame);
    this.#inner.send(frame, about);
  }

  reaches(about?: RequestId): boolean {
    return this.#inner.reaches?.(about) !== false;
  }

  redact<T>(value: T): T {
    return this.#inner.redact?.(value) ?? value;
  }

  close(code?: number, reason?: string): void {
    this.#inner.close(code, reason);
  }

  #record(direction: RecordedFrame["direction"], frame: string): void {
    this.frames.push({ direction, timeMs: this.#now() - this.#startMs, frame });
  }
}

/**
 * Wraps a transport, which it then owns. Sent frames are recorded whether or not they arrive.
 * @param now a source of milliseconds; the system's by default
 */
export function recordFrames(
  transport: Transport,
  now: () => number = () => performance.now(),
): FrameRecorder {
  return new RecordingTransport(transport, now);
}
