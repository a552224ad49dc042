import type { LineRange } from "./note-parts.ts";

/** Parses `3` or `3-7`, 1-based; null for anything else. */
export function readLineRange(value: string): LineRange | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(value);
  const start = Number(match?.[1]);
  const end = Number(match?.[2] ?? match?.[1]);
  return match !== null && start >= 1 && end >= start ? { start: start - 1, end: end - 1 } : null;
}
