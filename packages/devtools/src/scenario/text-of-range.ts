import { type Range, ToolFailure } from "@idewire/core";

/**
 * The part of a text that a range names.
 * @throws ToolFailure when it starts or ends where the text has no line or character
 */
export function textOfRange(text: string, { start, end }: Range): string {
  const lines = text.split("\n");
  for (const { line, character } of [start, end]) {
    const length = lines[line]?.length;
    if (length === undefined)
      throw new ToolFailure(`line ${line} is outside 0–${lines.length - 1}`);
    if (character > length) {
      throw new ToolFailure(`character ${character} of line ${line} is outside 0–${length}`);
    }
  }
  const picked = lines.slice(start.line, end.line + 1);
  const last = picked.length - 1;
  picked[last] = picked[last]?.slice(0, end.character) ?? "";
  picked[0] = picked[0]?.slice(start.character) ?? "";
  return picked.join("\n");
}
