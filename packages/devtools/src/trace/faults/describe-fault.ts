import type { Fault } from "./fault.ts";

/** A description of a fault, for lists and logs. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case "delay":
      return `delay ${fault.ms} ms${fault.jitterMs === undefined ? "" : ` + up to ${fault.jitterMs} ms`}`;
    case "reorder":
      return `reorder behind ${fault.behind}`;
    case "truncate":
      return `truncate to ${fault.keep}`;
    case "oversize":
      return `oversize ${fault.units}`;
    case "silence":
      return `silence ${fault.ms} ms`;
    case "close":
      return `close ${fault.code}`;
    default:
      return fault.kind;
  }
}
