/**
 * The lines of a long text, created on access: an array of short strings would take ten times the memory of the
 * text. Iterate with `for … of`, which is faster than array methods with a callback.
 */
export function linesOnDemand(source: string): readonly string[] {
  const starts = startsOfLines(source);
  const { length } = starts;
  const lineAt = (index: number): string => {
    const start = starts[index] ?? 0;
    if (index === length - 1) return source.slice(start);
    const last = (starts[index + 1] ?? 0) - 1;
    const isPair = last > start && source.charCodeAt(last) === lf && isCr(source, last - 1);
    return source.slice(start, isPair ? last - 1 : last);
  };
  function* walk() {
    for (let index = 0; index < length; index++) yield lineAt(index);
  }
  return new Proxy<string[]>([], {
    get(array, key) {
      if (key === Symbol.iterator) return walk;
      if (key === "length") return length;
      const index = indexOf(key);
      if (index === undefined) return Reflect.get(array, key) as unknown;
      return index < length ? lineAt(index) : undefined;
    },
    has(array, key) {
      const index = indexOf(key);
      return index === undefined ? Reflect.has(array, key) : index < length;
    },
  });
}

const lf = 10;
const cr = 13;

/** The number of lines of a text; stops counting at a limit. */
export function countLines(source: string, limit: number = Number.POSITIVE_INFINITY): number {
  let count = 1;
  for (let at = 0; at < source.length && count < limit; at++) if (endsLine(source, at)) count++;
  return count;
}

function startsOfLines(source: string): Uint32Array {
  const starts = new Uint32Array(countLines(source));
  let line = 1;
  for (let at = 0; at < source.length; at++) if (endsLine(source, at)) starts[line++] = at + 1;
  return starts;
}

/** Is it the last character of a line end? */
function endsLine(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  return code === lf || (code === cr && source.charCodeAt(at + 1) !== lf);
}

function isCr(source: string, at: number): boolean {
  return source.charCodeAt(at) === cr;
}

/** A property key as an array index; undefined for other members. */
function indexOf(key: string | symbol): number | undefined {
  if (typeof key === "symbol" || key === "") return undefined;
  const index = Number(key);
  return Number.isSafeInteger(index) && index >= 0 ? index : undefined;
}
