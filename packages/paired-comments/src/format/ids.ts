const digits: RegExp = /^[a-z]+_(\d{1,15})$/;

/** Gives out ids of digits, none of them twice and each later than all that there are. */
export class IdSequence {
  readonly #prefix: string;
  #last: number;

  /** @param taken ids that there are already; those of other forms do not matter */
  constructor(prefix: string, taken: Iterable<string>) {
    this.#prefix = prefix;
    this.#last = 0;
    for (const id of taken) this.#last = Math.max(this.#last, Number(digits.exec(id)?.[1] ?? 0));
  }

  /** @param nowMs milliseconds since 1970 */
  next(nowMs: number): string {
    this.#last = Math.max(nowMs, this.#last + 1);
    return `${this.#prefix}${this.#last}`;
  }
}

export function commentIds(taken: Iterable<string>): IdSequence {
  return new IdSequence("c_", taken);
}

export function markerIds(taken: Iterable<string>): IdSequence {
  return new IdSequence("gm_", taken);
}

export function isCommentId(id: string): boolean {
  return /^c_\d{1,15}$/.test(id);
}
