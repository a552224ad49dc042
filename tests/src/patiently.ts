/**
 * Tries with one limit after the other until nothing was late: a limit that a test waits for is short,
 * and too short for a busy machine, which is not what is tested. The test asserts afterwards, of what
 * came of the last try: a failed assertion is never tried again.
 */
export async function patiently<T>(
  limitsMs: readonly [number, ...number[]],
  attempt: (limitMs: number) => Promise<T>,
  isLate: (result: T) => boolean,
): Promise<T> {
  const [limitMs, next, ...more] = limitsMs;
  const result = await attempt(limitMs);
  if (next === undefined || !isLate(result)) return result;
  return patiently([next, ...more], attempt, isLate);
}
