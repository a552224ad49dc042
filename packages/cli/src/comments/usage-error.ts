/** An invalid argument of the command line, as a sentence for the person. */
export class UsageError extends Error {}

/** A number in plain digits; undefined for other notations that `Number` accepts. */
export function parseWhole(text: string): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}
