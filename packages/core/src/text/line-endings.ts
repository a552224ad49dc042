/** How a line ends; editors show all endings alike. */
export type LineEnding = "\n" | "\r\n" | "\r";

/** A text split into its lines and the characters that editors hide. */
export interface LaidOutText {
  /** At least one; the last is empty when the text ends with a line break. */
  readonly lines: readonly string[];
  /** The text starts with a byte order mark. */
  readonly bom: boolean;
  /** The ending of most lines, used for new ones; undefined for a single line. */
  readonly ending: LineEnding | undefined;
  /** The endings of all other lines, by 0-based index. */
  readonly odd: ReadonlyMap<number, LineEnding>;
}

const BOM = "\uFEFF";
const BREAK = /\r\n?|\n/g;

/** Splits a text; {@link joinText} restores it to the byte. */
export function layOut(text: string): LaidOutText {
  const bom = text.startsWith(BOM);
  const body = bom ? text.slice(BOM.length) : text;
  const breaks = (body.includes("\r") ? body.match(BREAK) : undefined) ?? [];
  const lines = body.split(BREAK);
  const ending = lines.length > 1 ? commonest(breaks) : undefined;
  const odd = new Map<number, LineEnding>();
  for (const [index, found] of breaks.entries()) {
    if (found !== ending) odd.set(index, found as LineEnding);
  }
  return { lines, bom, ending, odd };
}

/** Joins a text that {@link layOut} split, possibly edited since. */
export function joinText({ lines, bom, ending = "\n", odd }: LaidOutText): string {
  const start = bom ? BOM : "";
  if (odd.size === 0) return start + lines.join(ending);
  const last = lines.length - 1;
  const body = lines.map((line, i) => (i === last ? line : line + (odd.get(i) ?? ending)));
  return start + body.join("");
}

/** The same lines, all with the same ending. */
export function withEnding(text: LaidOutText, ending: LineEnding): LaidOutText {
  const isOneLine = text.ending === undefined;
  return { ...text, ending: isOneLine ? undefined : ending, odd: new Map() };
}

/** The display name: `LF`, `CRLF`, `CR` or `mixed`; undefined for a single line. */
export function nameEndings({ ending, odd }: LaidOutText): string | undefined {
  if (ending === undefined) return undefined;
  if (odd.size > 0) return "mixed";
  return { "\n": "LF", "\r\n": "CRLF", "\r": "CR" }[ending];
}

/** A line feed for an empty list: breaks are listed only if a text has a carriage return. */
function commonest(breaks: readonly string[]): LineEnding {
  const counts = new Map<LineEnding, number>([["\n", 0]]);
  for (const found of breaks as readonly LineEnding[]) {
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  return byCount[0]?.[0] ?? "\n";
}
