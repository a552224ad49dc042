import { diffWordsWithSpace } from "diff";
import { wholeCut } from "../../../output/printable.ts";

/** A piece of a line. */
export interface LinePart {
  readonly text: string;
  /** Whether it is missing from the other line. */
  readonly changed: boolean;
}

const MAX_COMPARED_LENGTH = 4_000;
/** Lines that share less are marked as a whole, since many small marks do not help. */
const MIN_SHARED = 0.3;

/**
 * Marks the words of `text` that `counterpart` lacks.
 * @param side whether `text` is the old line or the new one
 */
export function markWords(
  text: string,
  counterpart: string,
  side: "removed" | "added",
): readonly LinePart[] {
  const parts =
    text.length + counterpart.length > MAX_COMPARED_LENGTH
      ? markMiddle(text, counterpart)
      : compareWords(text, counterpart, side);
  const shared = parts.filter((part) => !part.changed).map((part) => part.text.trim().length);
  const longer = Math.max(text.trim().length, counterpart.trim().length);
  const isLike = shared.reduce((total, length) => total + length, 0) >= MIN_SHARED * longer;
  return isLike ? parts : [{ text, changed: false }];
}

function compareWords(
  text: string,
  counterpart: string,
  side: "removed" | "added",
): readonly LinePart[] {
  const [old, next] = side === "removed" ? [text, counterpart] : [counterpart, text];
  const parts = diffWordsWithSpace(old, next)
    .filter((change) => !(side === "removed" ? change.added : change.removed))
    .map((change) => ({ text: change.value, changed: change.added || change.removed }));
  return bridgeSpaces(parts);
}

/** Joins changed words that are separated only by spaces. */
function bridgeSpaces(parts: readonly LinePart[]): readonly LinePart[] {
  const bridged: LinePart[] = [];
  for (const [index, part] of parts.entries()) {
    const isBridge =
      part.text.trim() === "" && parts[index - 1]?.changed && parts[index + 1]?.changed;
    const changed = part.changed || isBridge === true;
    const last = bridged.at(-1);
    if (last?.changed === changed)
      bridged[bridged.length - 1] = { text: last.text + part.text, changed };
    else bridged.push({ text: part.text, changed });
  }
  return bridged;
}

/** For long lines: everything between the first and the last difference. */
function markMiddle(text: string, counterpart: string): readonly LinePart[] {
  const shorter = Math.min(text.length, counterpart.length);
  let head = 0;
  while (head < shorter && text[head] === counterpart[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && text.at(-1 - tail) === counterpart.at(-1 - tail)) tail += 1;
  const from = wholeCut(text, head);
  const to = wholeCut(text, text.length - tail, 1);
  return [
    { text: text.slice(0, from), changed: false },
    { text: text.slice(from, to), changed: true },
    { text: text.slice(to), changed: false },
  ].filter((part) => part.text !== "");
}
