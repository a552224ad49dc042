import { countLines, linesOnDemand } from "./lines-on-demand.ts";
import type { Unit, UnitTree } from "./unit.ts";
import { hashOfSource } from "./unit-builder.ts";

/** The language of texts that are not cut into units: what is kept of one is its hash. */
const language = "lines";

/** Of longer texts a unit for each line would take gigabytes, and more room in the `.comments` file than the text. */
const mostLines = 20_000;
const mostCharacters = 5 * 1024 * 1024;

export function isLongText(source: string): boolean {
  return source.length > mostCharacters || countLines(source, mostLines + 1) > mostLines;
}

/** A text as one unit without content: comments are found again by their lines. */
export function readLongText(source: string): UnitTree {
  const file: Unit = {
    ...{ index: 0, type: "file", name: undefined, parent: undefined, children: [], tokens: [] },
    ...{ first: undefined, last: undefined, size: 0, hash: "", head: "" },
  };
  const hash = hashOfSource(source);
  return { language, units: [file], tokens: [], lines: linesOnDemand(source), hash };
}

/** Is a source, or what is kept of it, not cut into units? */
export function isOfLines(source: Pick<UnitTree, "language">): boolean {
  return source.language === language;
}
