/** What of a trace a scenario does not say. */
export interface TraceOmission {
  /** The number of the event. */
  readonly n: number;
  /** Its line in the trace as it is saved: the header is line 1. */
  readonly line: number;
  /** Why, in words. */
  readonly why: string;
}

/** Gathers what is left out, event by event. */
export class Omissions {
  readonly list: TraceOmission[] = [];
  #at = { n: 0, line: 1 };

  /** The event that is read now. */
  moveTo(at: { readonly n: number; readonly line: number }): void {
    this.#at = at;
  }

  add(why: string): void {
    const { n, line } = this.#at;
    this.list.push({ n, line, why });
  }
}
