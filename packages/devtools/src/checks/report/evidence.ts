import type { TraceEvent } from "../../trace/format/trace-event.ts";
import { cutText } from "../../trace/recording/cut-event.ts";
import { createRedactor } from "../../trace/redaction/redact.ts";
import type { CheckReport } from "../run-checks.ts";

/** The length to which a frame is cut, in UTF-16 units. */
const MAX_UNITS = 2_000;

/** The events named by the results, without tokens, home directories and texts of files. */
export function evidenceOf({ results, log }: CheckReport): readonly TraceEvent[] {
  const named = new Set(results.flatMap(({ frames }) => frames));
  const redactor = createRedactor({ texts: true });
  return [...named]
    .sort((left, right) => left - right)
    .flatMap((n) => log.at(n) ?? [])
    .map((event) => redactor.redact(cut(event)));
}

function cut(event: TraceEvent): TraceEvent {
  if (event.ev !== "frame" || event.raw.length <= MAX_UNITS) return event;
  const raw = cutText(event.raw, MAX_UNITS);
  return { ...event, raw: `${raw} and ${(event.cut ?? event.raw.length) - raw.length + 1} more` };
}

/** The event with its frame cut to `maxUnits` UTF-16 units. */
export function cutEvent(event: TraceEvent, maxUnits: number): TraceEvent {
  if (event.ev !== "frame" || event.raw.length <= maxUnits) return event;
  return { ...event, raw: cutText(event.raw, maxUnits), cut: event.cut ?? event.raw.length };
}
