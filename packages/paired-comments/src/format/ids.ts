import { hashText } from "../anchors/units/token.ts";

const drawnDigits = 9;
const mostDrawn = 10 ** drawnDigits;

/** The last id drawn in this process, by any sequence. */
const last: { timeMs: number; drawn: number } = { timeMs: 0, drawn: 0 };

/**
 * Generates ids: a prefix, the time in milliseconds, and nine digits that are random for each millisecond and
 * incremented within it.
 *
 * Ids are unique across processes that do not share a lock, such as those that edit different files of one
 * workspace, or copies of one file on other branches. Counting on from the highest id would not be enough: it
 * may be in another file or deleted. Two processes collide in one of 10⁹ milliseconds in which both generate an
 * id. One process never repeats an id, even if its clock goes back.
 *
 * The number exceeds `Number.MAX_SAFE_INTEGER`, so an id is a string. Seed 003 requires `c_` and digits, as
 * written by the original's server; the original's extension accepts any string.
 */
export class IdSequence {
  readonly #prefix: string;
  readonly #taken: Set<string>;
  /** Number of attempts by name. */
  readonly #tried = new Map<string, number>();

  /** @param taken existing ids */
  constructor(prefix: string, taken: Iterable<string>) {
    this.#prefix = prefix;
    this.#taken = new Set(taken);
  }

  /** @param nowMs milliseconds since 1970 */
  next(nowMs: number): string {
    return this.#firstFree(() => draw(nowMs));
  }

  /** Derives an id from another program's: the same at each reading of its file, until it is written. */
  derive(name: string): string {
    return this.#firstFree(() => {
      const tried = this.#tried.get(name) ?? 0;
      this.#tried.set(name, tried + 1);
      return digitsOf(tried === 0 ? name : `${name} ${tried}`);
    });
  }

  #firstFree(digits: () => string): string {
    for (;;) {
      const id = this.#prefix + digits();
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}

function draw(nowMs: number): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  if (nowMs > last.timeMs) Object.assign(last, { timeMs: nowMs, drawn: random % mostDrawn });
  else if (++last.drawn === mostDrawn) Object.assign(last, { timeMs: last.timeMs + 1, drawn: 0 });
  return `${last.timeMs}${String(last.drawn).padStart(drawnDigits, "0")}`;
}

/** 53 bits. */
function digitsOf(text: string): string {
  return String(hashText(text) * 2 ** 21 + (hashText(` ${text}`) % 2 ** 21));
}

export function commentIds(taken: Iterable<string>): IdSequence {
  return new IdSequence("c_", taken);
}

export function markerIds(taken: Iterable<string>): IdSequence {
  return new IdSequence("gm_", taken);
}

export function isCommentId(id: string): boolean {
  return /^c_\d+$/.test(id);
}
