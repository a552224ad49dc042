import { countLines, linesOnDemand } from "./lines-on-demand.ts";
import type { Unit, UnitTree } from "./unit.ts";
import { hashOfSource } from "./unit-builder.ts";

/** The language of texts without units, whose outline has only a hash. */
const language = "lines";

/** Above these, a unit for each line would take gigabytes and make the `.comments` file larger than the text. */
const mostLines = 20_000;
const mostCharacters = 5 * 1024 * 1024;

export function isLongText(source: string): boolean {
  return source.length > mostCharacters || countLines(source, mostLines + 1) > mostLines;
}

/** Reads a text as one unit without content; its comments are located by their lines. */
export function readLongText(source: string): UnitTree {
  const file: Unit = {
    ...{ index: 0, type: "file", name: undefined, parent: undefined, children: [], tokens: [] },
    ...{ first: undefined, last: undefined, size: 0, hash: "", head: "" },
  };
  const hash = hashOfSource(source);
  return { language, units: [file], tokens: [], lines: linesOnDemand(source), hash };
}

/** Is it a source, or an outline, without units? */
export function isOfLines(source: Pick<UnitTree, "language">): boolean {
  return source.language === language;
}
