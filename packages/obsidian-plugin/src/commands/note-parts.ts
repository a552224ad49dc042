import type { CachedMetadata } from "obsidian";
import { texts } from "../texts/index.ts";

/** First and last line, 0-based, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines in words, 1-based. */
export function describeLines({ start, end }: LineRange): string {
  const first = start + 1;
  return start === end ? texts.last.line(first) : texts.last.lines(first, end + 1);
}

/** The lines of a selection, without the last if the selection ends before its first character. */
export function linesOfSelection(from: Point, to: Point): LineRange {
  const isAtStart = to.ch === 0 && to.line > from.line;
  return { start: from.line, end: isAtStart ? to.line - 1 : to.line };
}

interface Point {
  readonly line: number;
  readonly ch: number;
}

/** The section around a line: from its heading to the next one of the same or a higher level. */
export function sectionAt(
  { headings = [] }: Pick<CachedMetadata, "headings">,
  line: number,
  lastLine: number,
): LineRange | undefined {
  const heading = headings.findLast(({ position }) => position.start.line <= line);
  if (heading === undefined) return undefined;
  const start = heading.position.start.line;
  const next = headings.find(
    ({ position, level }) => position.start.line > start && level <= heading.level,
  );
  return { start, end: next === undefined ? lastLine : next.position.start.line - 1 };
}

/** The block at a line: a paragraph, a table, or a list item with its children. */
export function blockAt(
  { sections = [], listItems = [] }: Pick<CachedMetadata, "sections" | "listItems">,
  line: number,
): LineRange | undefined {
  const isAt = ({ position }: (typeof sections)[number] | (typeof listItems)[number]) =>
    position.start.line <= line && line <= position.end.line;
  const item = listItems.findLast(isAt);
  if (item !== undefined) {
    const start = item.position.start.line;
    const below = new Set([start]);
    let end = item.position.end.line;
    for (const { parent, position } of listItems) {
      if (!below.has(parent)) continue;
      below.add(position.start.line);
      end = Math.max(end, position.end.line);
    }
    return { start, end };
  }
  const section = sections.find(isAt);
  return section && { start: section.position.start.line, end: section.position.end.line };
}
