import { Decoration, WidgetType } from "@codemirror/view";
import type { HunkText } from "./hunks.ts";

/** Longer hunks show their deleted lines above the new ones. */
const MAX_LINES = 10;

const known = new WeakMap<HunkText, boolean>();

/** Whether a hunk changes so little of its lines that both texts can be read in one. */
export function isInline(text: HunkText): boolean {
  const before = known.get(text);
  if (before !== undefined) return before;
  const is = fitsInline(text);
  known.set(text, is);
  return is;
}

function fitsInline({ a, b, words }: HunkText): boolean {
  const lines = a.split("\n").length;
  if (a === "" || lines > MAX_LINES || lines !== b.split("\n").length) return false;
  const deleted = words.map(({ fromA, toA }) => a.slice(fromA, toA));
  if (deleted.some((text) => text.includes("\n"))) return false;
  const length = deleted.reduce((sum, text) => sum + text.length, 0);
  return length < a.length - 1 - 2 * lines;
}

class DeletedWord extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: DeletedWord): boolean {
    return other.#text === this.#text;
  }

  override toDOM(): HTMLElement {
    const word = document.createElement("del");
    word.className = "cm-deletedText";
    word.textContent = this.#text;
    return word;
  }
}

/** A deleted word within the line that it was in. */
export function deletedWord(text: string): Decoration {
  return Decoration.widget({ widget: new DeletedWord(text), side: -1 });
}
