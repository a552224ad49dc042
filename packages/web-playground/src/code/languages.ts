import { StreamLanguage } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { markdown } from "./markdown.ts";
import { script } from "./script.ts";

// Stream modes: the packages that carry whole grammars are many times as large, for a page that
// highlights and no more.
const modes: readonly (readonly [RegExp, Extension])[] = [
  [/\.(md|markdown)$/i, StreamLanguage.define(markdown)],
  [/\.([cm]?[jt]s|[jt]sx|json|jsonl|jsonc|canvas)$/i, StreamLanguage.define(script)],
];

/** How a file is highlighted, by its name. */
export function languageOf(path: string): Extension {
  return modes.find(([name]) => name.test(path))?.[1] ?? [];
}
