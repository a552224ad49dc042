import type { Transport } from "../rpc/transport.ts";
import { opposite } from "./frame-facts.ts";
import type { Direction, TraceFact } from "./trace-event.ts";

/** Where a record is kept: an event log, or what stands before one. */
export interface RecordLog {
  append(fact: TraceFact): void;
}

/** What a record calls a connection. */
export interface RecordOptions {
  readonly log: RecordLog;
  readonly ch: string;
  /** Who sends by this transport. */
  readonly sends: Direction;
  /** The sub-protocol that was agreed on. */
  readonly protocol?: string;
}

/** Keeps a log of all that passes a transport; the frames themselves pass unchanged. */
export function recordTransport(
  inner: Transport,
  { log, ch, sends, protocol }: RecordOptions,
): Transport {
  log.append({ ev: "open", ch, ...(protocol !== undefined && { protocol }) });
  const outer: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    get bufferedAmount() {
      return inner.bufferedAmount;
    },
    send(frame) {
      log.append({ ev: "frame", ch, dir: sends, raw: frame });
      inner.send(frame);
    },
    close: (code, reason) => inner.close(code, reason),
  };
  inner.onframe = (frame) => {
    log.append({ ev: "frame", ch, dir: opposite(sends), raw: frame });
    outer.onframe?.(frame);
  };
  inner.onclose = (reason) => {
    log.append({ ev: "close", ch, ...reason });
    outer.onclose?.(reason);
  };
  inner.ondrain = () => outer.ondrain?.();
  return outer;
}
