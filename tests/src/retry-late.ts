/**
 * Retries with increasing limits until nothing was late: short limits make a test fast, but may be too short
 * for a busy machine. The test asserts the result of the last attempt afterwards, so a failed assertion is
 * never retried.
 */
export async function retryLate<T>(
  limitsMs: readonly [number, ...number[]],
  attempt: (limitMs: number) => Promise<T>,
  isLate: (result: T) => boolean,
): Promise<T> {
  const [limitMs, next, ...more] = limitsMs;
  const result = await attempt(limitMs);
  if (next === undefined || !isLate(result)) return result;
  return retryLate([next, ...more], attempt, isLate);
}
