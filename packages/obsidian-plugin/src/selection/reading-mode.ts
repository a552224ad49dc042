import { Text } from "@codemirror/state";
import type { MarkdownPostProcessorContext } from "obsidian";
import { rangeOf, wholeLines } from "./editor-selection.ts";
import { locateExactly, type RenderedSection, type SourcePosition } from "./rendered-range.ts";
import { type TrackedFile, type TrackedSelection, wholeFile } from "./tracked-selection.ts";

/** Maps each rendered section to the lines of its note. */
export class RenderedSections {
  readonly #contexts = new WeakMap<HTMLElement, MarkdownPostProcessorContext>();

  /** To be registered as a post-processor of Markdown. */
  add(element: HTMLElement, context: MarkdownPostProcessorContext): void {
    this.#contexts.set(element, context);
  }

  /** The path in the vault of the file whose text an element shows; undefined if it shows none. */
  sourceOf(element: HTMLElement): string | undefined {
    for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
      const context = this.#contexts.get(at);
      if (context !== undefined) return context.sourcePath;
    }
    return undefined;
  }

  /** The sections in an element that a range touches, and the current text of their note. */
  touchedBy(
    range: Range,
    container: HTMLElement,
  ): { sections: RenderedSection[]; text: string } | undefined {
    const sections: RenderedSection[] = [];
    let text: string | undefined;
    for (const element of this.#elementsIn(container)) {
      if (!range.intersectsNode(element)) continue;
      // Read now: lines move when something above them is edited.
      const info = this.#contexts.get(element)?.getSectionInfo(element);
      if (info == null) continue;
      text ??= info.text;
      sections.push({ element, lineStart: info.lineStart, lineEnd: info.lineEnd });
    }
    return text === undefined ? undefined : { sections, text };
  }

  #elementsIn(container: HTMLElement): HTMLElement[] {
    const all = container.querySelectorAll<HTMLElement>("div");
    return [...all].filter((element) => this.#contexts.has(element));
  }
}

/** The selection in a rendered note: the exact range of its source, or whole lines. */
export function selectionOfRendered(
  selection: Selection,
  container: HTMLElement,
  { sections: known, file, origin }: RenderedNote,
): TrackedSelection {
  const nothing = wholeFile(file, origin);
  const range = selection.rangeCount === 0 ? undefined : selection.getRangeAt(0);
  if (range === undefined || range.collapsed || range.toString().trim() === "") return nothing;
  const touched = known.touchedBy(range, container);
  const [first] = touched?.sections ?? [];
  const last = touched?.sections.at(-1);
  if (touched === undefined || first === undefined || last === undefined) return nothing;
  const lines = touched.text.split("\n");
  const exact = locateExactly(lines, [first, last], boundariesOf(range));
  const doc = Text.of(lines);
  const selected = exact
    ? rangeOf(doc, offsetOf(doc, exact.start), offsetOf(doc, exact.end))
    : wholeLines(doc, first.lineStart, last.lineEnd);
  const { start, end, text } = selected;
  return {
    file,
    origin,
    isSelected: text !== "",
    place: `${start.line}:${start.character}-${end.line}:${end.character} ${text}`,
    read: () => ({ ranges: [selected], primary: 0 }),
  };
}

/** A note in reading mode. */
export interface RenderedNote {
  readonly sections: RenderedSections;
  readonly file: TrackedFile;
  readonly origin: object;
}

function boundariesOf({ startContainer, startOffset, endContainer, endOffset }: Range) {
  return [
    { node: startContainer, offset: startOffset },
    { node: endContainer, offset: endOffset },
  ] as const;
}

function offsetOf(doc: Text, { line, character }: SourcePosition): number {
  return doc.line(line + 1).from + character;
}
