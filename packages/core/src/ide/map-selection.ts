import { mapRange } from "../text/map-range.ts";
import { TextLines } from "../text/text-lines.ts";
import type { Selection, SelectionRange } from "./editor-host.ts";

/**
 * A selection after the text of its document has changed. A range whose text is not the document's, such
 * as one that a script has invented, is unchanged.
 */
export function mapSelection(selection: Selection, before: string, after: string): Selection {
  const lines = new TextLines(before);
  const map = (range: SelectionRange): SelectionRange => {
    if (lines.slice(range) !== range.text || !isInside(lines, range)) return range;
    const mapped = mapRange(range, before, after);
    return { ...mapped, text: new TextLines(after).slice(mapped) };
  };
  return { ...selection, ranges: selection.ranges.map(map) };
}

function isInside(lines: TextLines, { start, end }: SelectionRange): boolean {
  return JSON.stringify(lines.clamp({ start, end })) === JSON.stringify({ start, end });
}
