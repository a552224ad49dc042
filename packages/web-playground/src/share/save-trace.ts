import { formatTraceEvent, formatTraceHeader, type Trace } from "@idewire/devtools/trace";

/** So long may a turn write. */
const SLICE_MS = 12;
/** What takes no longer needs not be followed. */
const QUIET_MS = 1_000;

/**
 * Writes a trace as JSON Lines, a little at a time, so that the page stays quick.
 * @param onprogress told now and then how much is written, from 0 to 1, when it takes its time
 */
export async function writeTrace(
  { header, events }: Trace,
  onprogress: (done: number) => void,
): Promise<Blob> {
  const began = performance.now();
  const chunks: Blob[] = [];
  let lines = [formatTraceHeader(header)];
  let ends = began + SLICE_MS;
  for (const [at, event] of events.entries()) {
    lines.push(formatTraceEvent(event));
    if (performance.now() < ends) continue;
    chunks.push(new Blob(lines));
    lines = [];
    if (performance.now() - began > QUIET_MS) onprogress(at / events.length);
    await new Promise((resolve) => window.setTimeout(resolve));
    ends = performance.now() + SLICE_MS;
  }
  return new Blob([...chunks, ...lines], { type: "application/json" });
}
