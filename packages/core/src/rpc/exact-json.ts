import type { JsonCodec } from "./message.ts";

/** The used functions of the library `lossless-json`, which the caller provides. */
export interface LosslessJson {
  parse(
    this: void,
    text: string,
    reviver: undefined,
    parseNumber: (digits: string) => unknown,
  ): unknown;
  stringify(this: void, value: unknown, replacer?: undefined, space?: number): string | undefined;
  isSafeNumber(this: void, digits: string): boolean;
  isLosslessNumber(this: void, value: unknown): boolean;
  readonly LosslessNumber: new (digits: string) => LongNumber;
}

/** A number as it was spelled. */
interface LongNumber {
  toString(): string;
}

/** Reads and writes JSON; numbers that JavaScript would round are objects that keep their spelling. */
export interface ExactJson extends JsonCodec {
  /** @param space the width of an indentation */
  stringify(this: void, value: unknown, space?: number): string;
  /** Whether a value is such a number. */
  isLongNumber(this: void, value: unknown): value is LongNumber;
  /** The first integer in a value that cannot be computed with, as it was spelled. */
  findInexact(this: void, value: unknown): string | undefined;
}

/** A double has 15 to 17 significant digits. */
const LONG = /\d{16}/;

/** @param load called for the first text that may have such a number; then every value may have some */
export function createExactJson(load: () => LosslessJson): ExactJson {
  let library: LosslessJson | undefined;
  const isLongNumber = (value: unknown): value is LongNumber =>
    library?.isLosslessNumber(value) === true;
  const findInexact = (value: unknown): string | undefined => {
    if (isLongNumber(value)) return /^-?\d+$/.test(String(value)) ? String(value) : undefined;
    if (typeof value !== "object" || value === null) return undefined;
    for (const member of Object.values(value)) {
      const found = findInexact(member);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    parse(text): unknown {
      // The library sets the prototype for a member named `__proto__`.
      if (!LONG.test(text) || text.includes('"__proto__"')) return JSON.parse(text) as unknown;
      library ??= load();
      const { isSafeNumber, LosslessNumber, parse } = library;
      const toNumber = (digits: string) =>
        isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits);
      try {
        return parse(text, undefined, toNumber);
      } catch {
        // It refuses duplicate members and deep nesting, which JSON.parse accepts.
        return JSON.parse(text) as unknown;
      }
    },
    stringify(value, space): string {
      if (library === undefined) {
        const text = JSON.stringify(value, undefined, space);
        // Another reader may have read the value.
        if (!text?.includes('"isLosslessNumber":')) return text;
        library = load();
      }
      return library.stringify(value, undefined, space) ?? JSON.stringify(value, undefined, space);
    },
    isLongNumber,
    findInexact,
  };
}
