import type { Transport } from "@idewire/core/rpc";
import { type Direction, opposite, type TraceFact } from "../format/trace-event.ts";

/** Where events are recorded: an event log, or a filter in front of one. */
export interface RecordLog {
  append(fact: TraceFact): void;
}

/** How a connection is recorded. */
export interface RecordOptions {
  readonly log: RecordLog;
  readonly ch: string;
  /** The direction of the frames sent through this transport. */
  readonly sends: Direction;
  /** The negotiated subprotocol. */
  readonly protocol?: string;
}

/** Records the traffic of a transport; the frames pass unchanged. */
export function recordTransport(
  inner: Transport,
  { log, ch, sends, protocol }: RecordOptions,
): Transport {
  // A failure of the log must not affect the connection.
  const append = (fact: TraceFact): void => {
    try {
      log.append(fact);
    } catch (error) {
      note(log, error);
    }
  };
  append({ ev: "open", ch, ...(protocol !== undefined && { protocol }) });
  const outer: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    get bufferedAmount() {
      return inner.bufferedAmount;
    },
    send(frame, about) {
      append({ ev: "frame", ch, dir: sends, raw: frame });
      inner.send(frame, about);
    },
    ...(inner.reaches && { reaches: (about) => inner.reaches?.(about) !== false }),
    ...(inner.ping && { ping: (onpong) => inner.ping?.(onpong) }),
    ...(inner.redact && {
      redact: (value) => inner.redact?.(value) ?? value,
    }),
    close: (code, reason) => inner.close(code, reason),
  };
  for (const member of ["requests", "inputSchemaOf"]) share(member, inner, outer);
  inner.onframe = (frame) => {
    append({ ev: "frame", ch, dir: opposite(sends), raw: frame });
    outer.onframe?.(frame);
  };
  inner.onclose = (reason) => {
    append({ ev: "close", ch, ...reason });
    outer.onclose?.(reason);
  };
  inner.ondrain = () => outer.ondrain?.();
  return outer;
}

/** What the owner of a transport sets on it, where it has that member: the inner one uses it. */
function share(member: string, inner: Transport, outer: Transport): void {
  if (!(member in inner)) return;
  Object.defineProperty(outer, member, {
    get: (): unknown => Reflect.get(inner, member),
    set: (value: unknown) => Reflect.set(inner, member, value),
    enumerable: true,
  });
}

function note(log: RecordLog, error: unknown): void {
  const why = error instanceof Error ? error.name : typeof error;
  const text = `An event could not be recorded: ${why}.`;
  try {
    log.append({ ev: "transcript", text, who: "idewire" });
  } catch {
    // There is nowhere else to report it.
  }
}
