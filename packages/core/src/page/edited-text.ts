import { joinText, type LaidOutText, type LineEnding, layOut } from "../text/line-endings.ts";
import type { Range } from "../text/position.ts";

/** A replacement of whole lines; their breaks are line feeds. */
export interface LineChange {
  readonly range: Range;
  readonly text: string;
}

/**
 * The text of an editor that writes all line breaks alike and omits the byte order mark: unchanged lines end as
 * they did, others like most lines.
 */
export class EditedText {
  readonly #original: LaidOutText;
  readonly #lines: () => readonly string[];

  /**
   * @param original the text as it was put into the editor
   * @param lines the lines of the editor now
   */
  constructor(original: string, lines: () => readonly string[]) {
    this.#original = layOut(original);
    this.#lines = lines;
  }

  /** The text, to the byte. */
  get text(): string {
    return joinText(this.#current);
  }

  /** The text of a range; positions are those of the editor. */
  textIn({ start, end }: Range): string {
    const { lines, odd, ending = "\n" } = this.#current;
    const part = lines.slice(start.line, end.line + 1);
    const last = part.pop() ?? "";
    const above = part.map((line, at) => line + (odd.get(start.line + at) ?? ending));
    return (above.join("") + last.slice(0, end.character)).slice(start.character);
  }

  /** The change that shows another text; lines that are in both keep their selections. */
  changeTo(text: string): LineChange {
    const old = this.#lines();
    const { lines } = layOut(text);
    const { above, below } = sameLines(old, lines);
    // A common line is replaced, too: one of the two texts may have no other line there.
    const first = Math.max(0, above - 1);
    const kept = Math.max(0, below - (above === 0 ? 1 : 0));
    const last = old.length - kept - 1;
    return {
      range: {
        start: { line: first, character: 0 },
        end: { line: last, character: old[last]?.length ?? 0 },
      },
      text: lines.slice(first, lines.length - kept).join("\n"),
    };
  }

  get #current(): LaidOutText {
    const { lines: old, ...original } = this.#original;
    const lines = this.#lines();
    const { above, below } = sameLines(old, lines);
    const odd = new Map<number, LineEnding>();
    for (const [index, ending] of original.odd) {
      if (index < above) odd.set(index, ending);
      else if (index >= old.length - below) odd.set(index + lines.length - old.length, ending);
    }
    separateBreaks(lines, odd, original.ending ?? "\n");
    return { ...original, lines, odd };
  }
}

/** A line feed after an empty line would join the carriage return before that line to one break. */
function separateBreaks(
  lines: readonly string[],
  odd: Map<number, LineEnding>,
  ending: LineEnding,
): void {
  if (odd.size === 0) return;
  let before: LineEnding | undefined;
  for (const [index, line] of lines.entries()) {
    const own = odd.get(index) ?? ending;
    const isJoined = line === "" && before === "\r" && own === "\n";
    if (isJoined) odd.set(index, "\r");
    before = isJoined ? "\r" : own;
  }
}

/** The number of common lines at the start of two texts, and at their end. */
function sameLines(old: readonly string[], now: readonly string[]) {
  const shorter = Math.min(old.length, now.length);
  let above = 0;
  while (above < shorter && old[above] === now[above]) above += 1;
  let below = 0;
  while (below < shorter - above && old.at(-1 - below) === now.at(-1 - below)) below += 1;
  return { above, below };
}
