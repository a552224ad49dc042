import { CloseCode, type CloseReason, type Transport } from "./transport.ts";

/** Delivers the frames of one turn together, in a microtask. */
class MemoryTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  #other: MemoryTransport | undefined;
  #outbox: string[] = [];
  #buffered = 0;
  #scheduled = false;
  #paused = false;
  #closing: CloseReason | undefined;
  #closed = false;

  get bufferedAmount(): number {
    return this.#buffered;
  }

  join(other: MemoryTransport): void {
    this.#other = other;
  }

  send(frame: string): void {
    if (this.#closing !== undefined) return;
    this.#outbox.push(frame);
    this.#buffered += frame.length;
    this.#schedule();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#closing !== undefined) return;
    this.#closing = { code, reason };
    this.#schedule();
  }

  /** Stops or resumes reading at this end, like a suspended process. */
  pauseReading(paused: boolean): void {
    const other = this.#other;
    if (other === undefined) return;
    other.#paused = paused;
    if (!paused) other.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const frames = this.#outbox;
    this.#outbox = [];
    this.#buffered = 0;
    for (let index = 0; index < frames.length; index += 1) {
      this.#other?.onframe?.(frames[index] as string);
    }
    if (this.#outbox.length > 0) return;
    if (this.#closing !== undefined) this.#finish(this.#closing);
    else if (frames.length > 0) this.ondrain?.();
  }

  #finish(reason: CloseReason): void {
    if (this.#closed) return;
    this.#closed = true;
    const other = this.#other;
    if (other !== undefined) {
      // Frames that the other end has not delivered are lost, and it no longer waits for this end.
      other.#closing ??= reason;
      other.#paused = false;
      other.#outbox = [];
      other.#schedule();
    }
    this.onclose?.(reason);
  }
}

/** One end of a transport pair in memory. */
export interface MemoryTransportEnd extends Transport {
  /** Stops or resumes reading at this end, like a suspended process. */
  pauseReading(paused: boolean): void;
}

/**
 * Creates two connected transports in one process. The frames of one turn arrive together, in a later
 * microtask; `bufferedAmount` counts UTF-16 units.
 */
export function createMemoryTransportPair(): [MemoryTransportEnd, MemoryTransportEnd] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.join(right);
  right.join(left);
  return [left, right];
}
