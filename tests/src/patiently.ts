/**
 * Tries with one limit after the other, of which the last has to do: a limit that a test waits for
 * is short, and too short for a busy machine, which is not what is tested.
 */
export async function patiently<T>(
  limitsMs: readonly [number, ...number[]],
  attempt: (limitMs: number) => Promise<T>,
): Promise<T> {
  const [limitMs, next, ...more] = limitsMs;
  if (next === undefined) return attempt(limitMs);
  try {
    return await attempt(limitMs);
  } catch {
    return patiently([next, ...more], attempt);
  }
}
