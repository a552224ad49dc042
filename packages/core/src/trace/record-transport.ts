import type { Transport } from "../rpc/transport.ts";
import type { EventLog } from "./event-log.ts";
import { opposite } from "./frame-facts.ts";
import type { Direction } from "./trace-event.ts";

/** Keeps a log of all that passes a transport; the frames themselves pass unchanged. */
export function recordTransport(
  inner: Transport,
  { log, ch, sends }: { readonly log: EventLog; readonly ch: string; readonly sends: Direction },
): Transport {
  log.append({ ev: "open", ch });
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
