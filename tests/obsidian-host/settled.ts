import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { sleep } from "../src/reference-clients/wire.ts";

/** Looks until what it sees is as expected, for so long as one waits; gives what it saw last. */
export async function settled<T>(look: () => Promise<T>, isDone: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (isDone(seen) || performance.now() > end) return seen;
    await sleep(20);
  }
}
