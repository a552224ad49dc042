import { isObject, parseJson } from "@idewire/core/internal";
import { CloseCode } from "@idewire/core/rpc";
import type { TraceFact } from "@idewire/devtools/trace";
import { isOurs } from "@idewire/node-server/internal";

/** Where the events of a connection are recorded. */
export interface FactLog {
  append(fact: TraceFact): void;
}

/**
 * A log in front of another, for one connection: it leaves out the connections of our doctor and our checks in other
 * processes, which are not agents. They send their name in the first frame, or disconnect without a frame.
 */
export function withoutProbes(log: FactLog): FactLog {
  let opened: TraceFact | undefined;
  let isLeftOut = false;
  return {
    append(fact) {
      if (isLeftOut) return;
      if (fact.ev === "open") {
        opened = fact;
        return;
      }
      isLeftOut = opened !== undefined && isOfProbe(fact);
      if (isLeftOut) return;
      if (opened !== undefined) log.append(opened);
      opened = undefined;
      log.append(fact);
    },
  };
}

/** Judges by the first event after the opening. */
function isOfProbe(fact: TraceFact): boolean {
  if (fact.ev === "close") return fact.code === CloseCode.Normal;
  if (fact.ev !== "frame" || fact.dir !== "agent>ide") return false;
  try {
    const frame = parseJson(fact.raw);
    const params = isObject(frame) ? frame["params"] : undefined;
    const info = isObject(params) ? params["clientInfo"] : undefined;
    return isObject(info) && isOurs(info as never);
  } catch {
    return false;
  }
}
