import type { UnitTree } from "./unit.ts";
import { type OpenUnit, UnitBuilder } from "./unit-builder.ts";

/** Beyond this a line is data, not text that people read. */
const longestLine = 5_000;

/** Cuts a text without a grammar into units: its lines, those indented deeper inside the line above. */
export function readTextUnits(source: string): UnitTree {
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
    if (line.length > longestLine) builder.add(unit, match.index, end);
    else builder.addWords(unit, match.index, end);
    open.push({ unit, indent });
  }
  return builder.finish();
}
