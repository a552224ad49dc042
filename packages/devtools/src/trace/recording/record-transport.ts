import type { RequestTracker } from "@idewire/core/internal";
import { messageOf } from "@idewire/core/internal/base";
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
  const own: Pick<Transport, "onframe" | "onclose" | "ondrain" | "send"> = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    send(frame, about) {
      append({ ev: "frame", ch, dir: sends, raw: frame });
      inner.send(frame, about);
    },
  };
  inner.onframe = (frame) => {
    append({ ev: "frame", ch, dir: opposite(sends), raw: frame });
    own.onframe?.(frame);
  };
  inner.onclose = (reason) => {
    append({ ev: "close", ch, ...reason });
    own.onclose?.(reason);
  };
  inner.ondrain = () => own.ondrain?.();
  return around(inner, own, (requests) => ({
    awaits: (id) => requests.awaits(id),
    fail(id, error) {
      const reason = messageOf(error);
      if (requests.awaits(id)) append({ ev: "failed", ch, dir: sends, id, reason });
      requests.fail(id, error);
    },
    hold: (id, isHeld) => requests.hold?.(id, isHeld),
  }));
}

/**
 * A transport with some members replaced; all others, depending on its kind, are those of the inner one.
 * @param watch the requests that the inner one sees in place of those of the peer
 */
function around(
  inner: Transport,
  own: Partial<Transport>,
  watch: (requests: RequestTracker) => RequestTracker,
): Transport {
  return new Proxy(inner, {
    get(_, member): unknown {
      if (Object.hasOwn(own, member)) return Reflect.get(own, member);
      const value: unknown = Reflect.get(inner, member);
      return typeof value === "function" ? (value.bind(inner) as unknown) : value;
    },
    set(_, member, value: unknown) {
      if (member === "requests" && value !== undefined) {
        return Reflect.set(inner, member, watch(value as RequestTracker));
      }
      return Reflect.set(Object.hasOwn(own, member) ? own : inner, member, value);
    },
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
