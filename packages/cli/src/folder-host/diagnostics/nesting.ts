import type { Diagnostic } from "@idewire/core";
import { TextLines } from "@idewire/core/internal";

/**
 * The parsers recurse for each level. If the stack overflows inside a regular expression, V8 ends the whole
 * process, so deeper texts are not parsed.
 */
const MAX_DEPTH = 100;

/** The offset at which brackets nest too deeply, ignoring those in double quotes. */
export function deepBracket(text: string): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"' || character === "\n") isQuoted = character === '"' && !isQuoted;
    else if (isQuoted) at += character === "\\" ? 1 : 0;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return at;
  }
  return undefined;
}

/** The offset at which indentation and leading marks such as `- ` together nest too deeply. */
export function deepIndent(text: string): number | undefined {
  const indents: number[] = [];
  for (const line of text.matchAll(/^([ \t]*)(\S.*)$/gm)) {
    const [, { length: indent } = "", content = ""] = line;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    const [leading = ""] = /^(?:(?:[-?:]|[&!]\S*)(?:[ \t]+|$))+/.exec(content) ?? [];
    const marks = leading.match(/[-?:](?=\s|$)/g)?.length ?? 0;
    if (indents.length + marks > MAX_DEPTH) return line.index;
  }
  return undefined;
}

export function tooDeep(text: string, offset: number): Diagnostic {
  return {
    range: new TextLines(text).rangeOf(offset, offset + 1),
    severity: "information",
    message: `Nested deeper than ${MAX_DEPTH} levels: not checked`,
    code: "too-deep",
  };
}
