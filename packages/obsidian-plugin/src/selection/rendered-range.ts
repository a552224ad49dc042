import { positionAt } from "@idewire/core/internal";
import { renderText, squeeze } from "./rendered-text.ts";

/** Part of a note that was rendered on its own: a paragraph, a list, a table. */
export interface RenderedSection {
  readonly element: HTMLElement;
  /** 0-based, the last included. */
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** A boundary of a selection in the rendered note. */
export interface Boundary {
  readonly node: Node;
  readonly offset: number;
}

/** A position in the source: 0-based line and column. */
export interface SourcePosition {
  readonly line: number;
  readonly character: number;
}

/** In UTF-16 units: mapping every character of a longer source would take too long. */
const MAX_SOURCE_LENGTH = 20_000;

/**
 * Locates a selection of rendered sections in their source, to the character. Undefined unless the source
 * without its markup is exactly the rendered text.
 */
export function locateExactly(
  lines: readonly string[],
  sections: readonly [first: RenderedSection, last: RenderedSection],
  [from, to]: readonly [from: Boundary, to: Boundary],
): { readonly start: SourcePosition; readonly end: SourcePosition } | undefined {
  const [first, last] = sections;
  const start = locate(lines, first, from, "start");
  const end = locate(lines, last, to, "end");
  if (start === undefined || end === undefined || !isBefore(start, end)) return undefined;
  return { start, end };
}

function isBefore(left: SourcePosition, right: SourcePosition): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}

function locate(
  lines: readonly string[],
  { element, lineStart, lineEnd }: RenderedSection,
  { node, offset }: Boundary,
  side: "start" | "end",
): SourcePosition | undefined {
  const source = lines.slice(lineStart, lineEnd + 1).join("\n");
  // The selection continues outside the section.
  if (!element.contains(node)) {
    const last = lines[lineEnd] ?? "";
    return side === "start"
      ? { line: lineStart, character: 0 }
      : { line: lineEnd, character: last.length };
  }
  if (source.length > MAX_SOURCE_LENGTH) return undefined;
  const rendered = renderText(source);
  if (rendered.text !== squeeze(shownText(element))) return undefined;
  const count = squeeze(shownText(element, { node, offset })).length;
  const index = side === "start" ? rendered.starts[count] : rendered.ends[count - 1];
  return index === undefined ? undefined : positionIn(source, lineStart, index);
}

function positionIn(source: string, lineStart: number, index: number): SourcePosition {
  const { line, character } = positionAt(source, index);
  return { line: lineStart + line, character };
}

/** The text of an element up to a boundary, without its buttons. */
function shownText(element: HTMLElement, until?: Boundary): string {
  const { ownerDocument } = element;
  const walker = ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const end = until && ownerDocument.createRange();
  if (until !== undefined) {
    end?.setStart(element, 0);
    end?.setEnd(until.node, until.offset);
  }
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest("button") != null) continue;
    if (node === until?.node) return text + (node.nodeValue ?? "").slice(0, until.offset);
    if (end !== undefined && end.comparePoint(node, 0) > 0) return text;
    text += node.nodeValue ?? "";
  }
  return text;
}
