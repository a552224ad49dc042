import { isLongText, readLongText } from "./long-text.ts";
import type { UnitTree } from "./unit.ts";
import { type OpenUnit, UnitBuilder } from "./unit-builder.ts";

/** Beyond this a line is data, not text that people read. */
const longestLine = 5_000;
/** No more of a unit is compared. */
const mostPieces = 64;

/**
 * Cuts a text without a grammar into units: its lines, those indented deeper inside the line above. A long text is
 * not cut.
 */
export function readTextUnits(source: string): UnitTree {
  if (isLongText(source)) return readLongText(source);
  const builder = new UnitBuilder(source, "text");
  const open: { readonly unit: OpenUnit; readonly indent: number }[] = [];
  const lines = /[^\r\n]+/g;
  for (let match = lines.exec(source); match !== null; match = lines.exec(source)) {
    const [line] = match;
    if (line.trim() === "") continue;
    const indent = /^[ \t]*/.exec(line.slice(0, longestLine))?.[0].length ?? 0;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const unit = builder.open("line", open.at(-1)?.unit ?? builder.root);
    const end = match.index + line.length;
    if (line.length > longestLine) addPieces(builder, unit, match.index, line);
    else builder.addWords(unit, match.index, end);
    open.push({ unit, indent });
  }
  return builder.finish();
}

/** A long line is known by its beginning when a part of it changes. */
function addPieces(builder: UnitBuilder, unit: OpenUnit, start: number, line: string): void {
  let from = 0;
  const ends = /[;{}]+/g;
  for (let count = 1; count < mostPieces && ends.test(line); count++) {
    builder.add(unit, start + from, start + ends.lastIndex);
    from = ends.lastIndex;
  }
  if (from < line.length) builder.add(unit, start + from, start + line.length);
}
