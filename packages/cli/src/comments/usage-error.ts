/** A word of the command line that does not fit, as a sentence for the person. */
export class UsageError extends Error {}

/** A number of digits alone; undefined for anything else that `Number` reads. */
export function parseWhole(text: string): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}
