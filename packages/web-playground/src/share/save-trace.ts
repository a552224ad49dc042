/** The longest time per turn. */
const SLICE_MS = 12;
/** Shorter writes report no progress. */
const QUIET_MS = 1_000;

/**
 * Writes the chunks of a file, a few at a time, so that the page stays responsive.
 * @param count the approximate number of chunks
 * @param onprogress called during long writes with the written part, from 0 to 1
 */
export async function writeFile(
  chunks: Iterable<string>,
  count: number,
  onprogress: (done: number) => void,
): Promise<Blob> {
  const began = performance.now();
  const written: Blob[] = [];
  let slice: string[] = [];
  let done = 0;
  let ends = began + SLICE_MS;
  for (const chunk of chunks) {
    slice.push(chunk);
    done += 1;
    if (performance.now() < ends) continue;
    written.push(new Blob(slice));
    slice = [];
    if (performance.now() - began > QUIET_MS) onprogress(Math.min(1, done / count));
    await new Promise((resolve) => window.setTimeout(resolve));
    ends = performance.now() + SLICE_MS;
  }
  return new Blob([...written, ...slice], { type: "application/json" });
}
