import type { Range } from "@idewire/core";
import type { TextLines } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";

/**
 * Refuses ranges that are invalid in any text.
 * @throws ToolFailure
 */
export function checkRange({ start, end }: Range): void {
  for (const { line, character } of [start, end]) {
    checkNumber("line", line);
    checkNumber("character", character);
  }
  if (start.line > end.line || (start.line === end.line && start.character > end.character)) {
    const from = `${start.line}:${start.character}`;
    throw new ToolFailure(
      `the range starts at ${from}, after its end ${end.line}:${end.character}`,
    );
  }
}

/**
 * Refuses ranges outside this text.
 * @throws ToolFailure
 */
export function checkRangeIn(lines: TextLines, range: Range): void {
  checkRange(range);
  for (const { line, character } of [range.start, range.end]) {
    if (line > lines.lastLine) {
      throw new ToolFailure(`line ${line} is outside 0–${lines.lastLine}`);
    }
    const length = lines.lengthOf(line);
    if (character > length) {
      throw new ToolFailure(`character ${character} of line ${line} is outside 0–${length}`);
    }
  }
}

function checkNumber(what: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new ToolFailure(`${what} ${value} is not a whole number of 0 or more`);
}
