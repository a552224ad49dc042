import { hashText } from "../anchors/units/token.ts";

const drawnDigits = 9;
const mostDrawn = 10 ** drawnDigits;

/** What this process gave last, by any sequence. */
const last: { timeMs: number; drawn: number } = { timeMs: 0, drawn: 0 };

/**
 * Gives out ids: a prefix, the time in milliseconds, and nine digits that are drawn for each millisecond and
 * counted up within it.
 *
 * No id is given twice, also by processes that know nothing of each other: those that have different files of
 * one workspace, or copies of one file on other branches. A lock would not reach so far, and the highest id
 * that is there says nothing: it may be of any time, in another file, or deleted. So it does not count, and
 * two processes meet in one of 10⁹ milliseconds in which both give an id. One process never repeats itself,
 * even if its clock goes back.
 *
 * The number is larger than `Number.MAX_SAFE_INTEGER`: an id is a text. Seed 003 demands `c_` and digits, as
 * the original's server writes, and the original's extension takes any text.
 */
export class IdSequence {
  readonly #prefix: string;
  readonly #taken: Set<string>;
  /** How often each name has been tried. */
  readonly #tried = new Map<string, number>();

  /** @param taken ids that there are already */
  constructor(prefix: string, taken: Iterable<string>) {
    this.#prefix = prefix;
    this.#taken = new Set(taken);
  }

  /** @param nowMs milliseconds since 1970 */
  next(nowMs: number): string {
    return this.#firstFree(() => draw(nowMs));
  }

  /** For what another program has named: the same each time that its file is read, until it is written. */
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
