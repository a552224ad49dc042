import type { TraceEvent } from "../../trace/format/trace-event.ts";
import { FrameIndex } from "../../trace/rows/frame-index.ts";
import type { Mismatch } from "../pattern/pattern.ts";

/** The first frame of a trace that is not as expected; undefined when all are. */
export function findFrameMismatch(
  expected: readonly string[],
  events: readonly TraceEvent[],
): Mismatch | undefined {
  const index = new FrameIndex();
  for (const event of events) index.add(event);
  const seen = index.frames.map(({ dir, kind, method, tool, fault, lost }) =>
    [dir, kind, method, tool, fault, lost === true ? "lost" : undefined]
      .filter((word) => word !== undefined)
      .join(" "),
  );
  const length = Math.max(expected.length, seen.length);
  for (let at = 0; at < length; at += 1) {
    if (expected[at] === seen[at]) continue;
    const words = {
      expected: expected[at] ?? "no more frames",
      seen: seen[at] ?? "no more frames",
    };
    return { at: `/frames/${at}`, ...words };
  }
  return undefined;
}
