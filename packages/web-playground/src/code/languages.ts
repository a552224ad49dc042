import { defineLanguageFacet, Language, StreamLanguage } from "@codemirror/language";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import type { Extension } from "@codemirror/state";
import { GFM, parser } from "@lezer/markdown";

// Stream modes and the bare Markdown parser: the packages that carry whole grammars are three times
// as large, for a page that highlights and no more.
const markdown = new Language(defineLanguageFacet(), parser.configure([GFM]), [], "markdown");
const modes: readonly (readonly [RegExp, Extension])[] = [
  [/\.(md|markdown)$/i, markdown],
  [/\.[cm]?tsx?$/i, StreamLanguage.define(typescript)],
  [/\.([cm]?js|jsx)$/i, StreamLanguage.define(javascript)],
  [/\.(json|jsonl|jsonc|canvas)$/i, StreamLanguage.define(json)],
];

/** How a file is highlighted, by its name. */
export function languageOf(path: string): Extension {
  return modes.find(([name]) => name.test(path))?.[1] ?? [];
}
