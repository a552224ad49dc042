import { describeValue, isObject } from "@idewire/core/internal";

/** What is wrong with a range of 0-based positions; undefined when it is valid. */
export function findRangeFault(range: unknown): string | undefined {
  if (!isObject(range)) return `it is ${describeValue(range)}`;
  const { start, end } = range;
  const [from, to] = [toPosition(start), toPosition(end)];
  if (from === undefined) return `start is ${describeValue(start)}`;
  if (to === undefined) return `end is ${describeValue(end)}`;
  const isForward =
    from.line < to.line || (from.line === to.line && from.character <= to.character);
  return isForward ? undefined : `its end ${describeValue(end)} is before ${describeValue(start)}`;
}

function toPosition(value: unknown) {
  if (!isObject(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
