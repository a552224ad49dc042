import type { Position, Range } from "@idewire/core";

/** The unit in which a server counts the characters of a line. */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** In the order of preference. */
export const positionEncodings: readonly PositionEncoding[] = ["utf-16", "utf-8", "utf-32"];

/** Converts a server's range to UTF-16 units; positions beyond a line become its end. */
export function toUtf16(lines: readonly string[], range: Range, from: PositionEncoding): Range {
  if (from === "utf-16") return range;
  return { start: convert(lines, range.start, from), end: convert(lines, range.end, from) };
}

function convert(lines: readonly string[], at: Position, from: PositionEncoding): Position {
  const text = lines[at.line];
  if (text === undefined) return at;
  let units = 0;
  let left = at.character;
  for (const character of text) {
    left -= from === "utf-32" ? 1 : Buffer.byteLength(character);
    if (left < 0) break;
    units += character.length;
  }
  return { line: at.line, character: units };
}

/** The lines as LSP counts them. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}
