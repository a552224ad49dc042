/** A part of a trace that a scenario leaves out. */
export interface TraceOmission {
  /** The number of the event. */
  readonly n: number;
  /** Its line in the trace as it is saved: the header is line 1. */
  readonly line: number;
  /** The reason. */
  readonly why: string;
}

/** Collects omissions, event by event. */
export class Omissions {
  readonly list: TraceOmission[] = [];
  #at = { n: 0, line: 1 };

  /** Sets the current event. */
  moveTo(at: { readonly n: number; readonly line: number }): void {
    this.#at = at;
  }

  add(why: string): void {
    const { n, line } = this.#at;
    this.list.push({ n, line, why });
  }
}
