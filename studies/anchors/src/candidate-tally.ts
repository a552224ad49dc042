/** The candidates for a comment whose code has moved. */
export interface Offer {
  /** Whether it is an orphan or a guess. */
  readonly isLost: boolean;
  /** Whether the right place is among the candidates, and whether it is the first. */
  readonly isAmong: boolean;
  readonly isFirst: boolean;
  /** Whether the comment is at the right place after `move_comment` with the first candidate. */
  readonly isHome: boolean;
}

/** Counts candidates by class. */
export class CandidateTally {
  readonly #offers = new Map<string, Offer[]>();

  add(name: string, offer: Offer): void {
    const offers = this.#offers.get(name);
    if (offers === undefined) this.#offers.set(name, [offer]);
    else offers.push(offer);
  }

  /** A table with a line per class, in per cent; empty if nothing was counted. */
  table(): string {
    const rows = [...this.#offers].sort(([a], [b]) => (a < b ? -1 : 1)).map(rowOf);
    if (rows.length === 0) return "";
    const all = rowOf(["**all**", [...this.#offers.values()].flat()]);
    const head = ["class", "n", "lost", "among the candidates", "first", "reached"];
    const lines = [head, head.map(() => "---"), ...rows, all];
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  }
}

function rowOf([name, offers]: readonly [string, readonly Offer[]]): readonly string[] {
  const lost = offers.filter(({ isLost }) => isLost);
  const share = (holds: (offer: Offer) => boolean) =>
    lost.length === 0 ? "" : ((100 * lost.filter(holds).length) / lost.length).toFixed(1);
  const shares = [share((o) => o.isAmong), share((o) => o.isFirst), share((o) => o.isHome)];
  return [name, String(offers.length), String(lost.length), ...shares];
}
