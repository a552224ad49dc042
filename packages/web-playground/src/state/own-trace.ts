import type { Trace } from "@idewire/devtools/trace";
import type { PageModel } from "./page-model.ts";

/** The own log so far, as a trace. */
export function ownTraceOf({ startedMs = Date.now(), own, server }: PageModel): Trace {
  const names = server === undefined ? { ide: "idewire playground" } : { server };
  const header = { created: new Date(startedMs).toISOString(), ...names };
  return { header, events: own.log.events.slice() };
}
