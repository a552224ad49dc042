import { obsidian, parseTree, readShown } from "@idewire/core/markdown";

/** The visible characters of a text, without white space, with their offsets in the source. */
export interface RenderedText {
  readonly text: string;
  /** For each UTF-16 unit of `text`, where what renders as it starts in the source … */
  readonly starts: readonly number[];
  /** … and where it ends. */
  readonly ends: readonly number[];
}

/**
 * Renders Markdown as text. It need not be exact: callers compare the result with the rendered note, and
 * discard it if they differ.
 */
export function renderText(source: string): RenderedText {
  const out = { text: "", starts: [] as number[], ends: [] as number[] };
  readShown(parseTree(source, obsidian).topNode, source, (shown, start, end) => {
    for (let index = 0; index < shown.length; index += 1) {
      const unit = shown[index] ?? "";
      if (/\s/.test(unit)) continue;
      const isVerbatim = shown.length === end - start;
      out.text += unit;
      out.starts.push(isVerbatim ? start + index : start);
      out.ends.push(isVerbatim ? start + index + 1 : end);
    }
  });
  return out;
}

/** Removes white space, which rendering adds and removes. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
