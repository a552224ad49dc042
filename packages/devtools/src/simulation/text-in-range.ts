import type { Range } from "@idewire/core";

/** The text of a range; what lies beyond the text is left out. */
export function textInRange(text: string, { start, end }: Range): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, index) => {
      const to = index === last && end.line - start.line === last ? end.character : line.length;
      return line.slice(index === 0 ? start.character : 0, to);
    })
    .join("\n");
}
