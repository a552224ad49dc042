import type { CliOutput } from "../../process/io.ts";
import type { WriteEvent } from "./events.ts";

/** The most unread bytes, besides one event. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Why agents are disconnected. */
export const SLOW_READER = "the reader of our events is slow";

/** Writes events while their reader keeps up. */
export interface BoundedWriter {
  readonly write: WriteEvent;
  /** The buffer is full: events are dropped for now. */
  readonly isFull: boolean;
}

/**
 * Drops events while too many are unread, and reports that in an `error` once the reader has read all of them.
 * @param write writes to `output`
 * @param onFull called each time that dropping begins
 */
export function boundWriter(
  output: CliOutput,
  write: WriteEvent,
  onFull: () => void,
): BoundedWriter {
  let lost = 0;
  const emitLost = () => {
    const message = `${SLOW_READER}: ${lost} events were dropped, and the agents were disconnected`;
    lost = 0;
    write("error", { message });
  };
  return {
    write(event, members) {
      if (lost === 0 && output.writableLength <= MAX_WAITING_BYTES) {
        write(event, members);
        return;
      }
      lost += 1;
      if (lost > 1) return;
      output.once("drain", emitLost);
      onFull();
    },
    get isFull() {
      return lost > 0;
    },
  };
}
