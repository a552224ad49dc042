import { isLongText, readLongText } from "./long-text.ts";
import type { UnitTree } from "./unit.ts";
import { type OpenUnit, UnitBuilder } from "./unit-builder.ts";

/** Longer lines are data rather than prose. */
const longestLine = 5_000;
/** Pieces of a long line, as many tokens as are compared. */
const mostPieces = 64;

/**
 * Cuts a text without a grammar into lines as units; deeper indented lines are inside the line above. Long texts
 * are not cut.
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

/** Adds a long line in pieces, so that it still matches by its beginning when a part changes. */
function addPieces(builder: UnitBuilder, unit: OpenUnit, start: number, line: string): void {
  let from = 0;
  const ends = /[;{}]+/g;
  for (let count = 1; count < mostPieces && ends.test(line); count++) {
    builder.add(unit, start + from, start + ends.lastIndex);
    from = ends.lastIndex;
  }
  if (from < line.length) builder.add(unit, start + from, start + line.length);
}
