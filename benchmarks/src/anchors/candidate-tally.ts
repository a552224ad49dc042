/** What was offered for a comment whose code is in another place. */
export interface Offer {
  /** Is it an orphan, or said to be a guess? */
  readonly isLost: boolean;
  /** Is the right place among the candidates, and the first of them? */
  readonly isAmong: boolean;
  readonly isFirst: boolean;
  /** Is it there once the first candidate was fed to `move_comment`? */
  readonly isHome: boolean;
}

/** Counts what was offered, by class. */
export class CandidateTally {
  readonly #offers = new Map<string, Offer[]>();

  add(name: string, offer: Offer): void {
    const offers = this.#offers.get(name);
    if (offers === undefined) this.#offers.set(name, [offer]);
    else offers.push(offer);
  }

  /** One table: a line a class, in per cent; empty where nothing was counted. */
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
