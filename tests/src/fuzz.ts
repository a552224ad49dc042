import fc from "fast-check";

/**
 * The seed of this run: fixed, so that every ordinary run tests the same cases; slow runs use a new one each
 * time, and IDEWIRE_SEED repeats any.
 */
export const seed: number = Number(process.env["IDEWIRE_SEED"] ?? 20261122);

/** The number of cases of an ordinary and of a slow run. */
export const CASES = 5_000;
export const SLOW_CASES = 1_000_000;

/** Prints the seed, so that a failed or hanging run can be repeated. */
export function announceSeed(): void {
  console.info(`fast-check seed: IDEWIRE_SEED=${seed}`);
}

/** Any text: all of Unicode, and lone surrogates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.integer({ min: 0, max: 8 }),
  insert: fc.oneof(
    fc.constantFrom("", "[", "]", "{", "}", '"', ",", ":", "null", "1e999", "-0", "\\u0000", "\\"),
    fc.string({ maxLength: 3, unit: "binary" }),
  ),
});

/** A text with a few changes. */
export function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.array(edit, { minLength: 1, maxLength: 3 })).map(([whole, edits]) =>
    edits.reduce((before, { at, remove, insert }) => {
      const start = Math.floor(at * before.length);
      return before.slice(0, start) + insert + before.slice(start + remove);
    }, whole),
  );
}
