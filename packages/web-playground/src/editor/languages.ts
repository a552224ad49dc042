import { defineLanguageFacet, Language, StreamLanguage } from "@codemirror/language";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import type { Extension } from "@codemirror/state";
import { markdownParser, obsidian } from "@idewire/core/markdown";
import { styleTags, tags } from "@lezer/highlight";

const styles = styleTags({ WikiLink: tags.link, FrontMatter: tags.meta });
const markdown = new Language(
  defineLanguageFacet(),
  markdownParser.configure([obsidian, { props: [styles] }]),
  [],
  "markdown",
);

// Stream modes: the packages with whole grammars are many times as large, and the page only highlights.
const modes: readonly (readonly [RegExp, Extension])[] = [
  [/\.(md|markdown)$/i, markdown],
  [/\.([cm]?ts|tsx)$/i, StreamLanguage.define(typescript)],
  [/\.([cm]?js|jsx)$/i, StreamLanguage.define(javascript)],
  [/\.(json|jsonl|jsonc|canvas|comments)$/i, StreamLanguage.define(json)],
];

/** The highlighting of a file, by its name. */
export function languageOf(path: string): Extension {
  return modes.find(([name]) => name.test(path))?.[1] ?? [];
}
