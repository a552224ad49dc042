import type { Trace } from "@idewire/devtools/trace";
import type { PageModel } from "./page-model.ts";

/** The own log so far, as a trace. */
export function ownTraceOf({ startedMs = Date.now(), own }: PageModel): Trace {
  const header = { created: new Date(startedMs).toISOString(), ide: "idewire playground" };
  return { header, events: own.log.events.slice() };
}
