import { languageOf } from "../syntax/languages.ts";
import type { SourceReader } from "../syntax/parsers.ts";
import { readTextUnits } from "../units/text-units.ts";
import { readMarkdownUnits } from "./read-markdown.ts";

/**
 * A reader without grammars, for programs that cannot ship them: it cuts Markdown into blocks and every other
 * source into lines.
 */
export function createTextReader(): SourceReader {
  return {
    async read(path, source) {
      const isMarkdown = languageOf(path)?.id === "markdown" && !source.includes("\0");
      return isMarkdown ? readMarkdownUnits(source) : readTextUnits(source);
    },
    functions: async () => [],
  };
}
