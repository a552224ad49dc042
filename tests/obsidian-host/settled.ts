import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { sleep } from "../src/reference-clients/wire.ts";

/** Polls until the value is as expected or the time is up; returns the last value. */
export async function settled<T>(look: () => Promise<T>, isDone: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  for (;;) {
    const seen = await look();
    if (isDone(seen) || performance.now() > end) return seen;
    await sleep(20);
  }
}
