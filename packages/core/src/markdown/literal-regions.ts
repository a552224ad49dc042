/** Offsets in a text. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * What starts text that some renderer shows as it is or not at all: formulas (`$$`, `$`, `\[`, `\(`, environments of
 * LaTeX), comments (`%%` of Obsidian, `%` of MyST, `{/*` of MDX), expressions and literal blocks of Liquid, Hugo and
 * kramdown, and embeds such as `@[youtube](id)`.
 */
const OPENING =
  /\\begin\{(\w+\*?)\}|\\{1,2}[[(]|\$\$|\$(?![\s$])|%%|^%(?!%)|\{%-?\s*(raw|comment|highlight|verbatim|doc)\b|\{%|\{\{<\s*(\w[\w-]*)|\{\{|\{\/\*|\{::(\w+)|@\[/gm;

/** The most different closing marks that are searched for in vain: each search is as long as the text. */
const MAX_ABSENT = 100;

/** The content after an opening mark without a closing mark. */
const EMBED = /[^\]\n]{0,500}\]\([^)\n]{0,1000}\)/y;
const LINE = /[^\n]*/y;

/**
 * Finds formulas, comments and template expressions outside code: text that not every renderer reads as Markdown. An
 * opening mark without a closing one hides nothing. Takes linear time.
 * @param code the regions of code, in order
 */
export function literalRegions(text: string, code: readonly Region[]): readonly Region[] {
  const regions: Region[] = [];
  /** The closing marks that do not occur any more. */
  const absent = new Set<string>();
  const after = (mark: string, from: number): number | undefined => {
    const isKnown = absent.has(mark) || absent.size === MAX_ABSENT;
    const at = isKnown ? -1 : text.indexOf(mark, from);
    if (at === -1 && !isKnown) absent.add(mark);
    return at === -1 ? undefined : at + mark.length;
  };
  let index = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
    const start = found.index;
    while ((code[index]?.end ?? Infinity) <= start) index += 1;
    const inside = code[index];
    if (inside !== undefined && inside.start <= start) {
      OPENING.lastIndex = inside.end;
      continue;
    }
    const end = endOf(found, { text, after });
    if (end === undefined) continue;
    regions.push({ start, end });
    OPENING.lastIndex = end;
  }
  return regions;
}

interface Search {
  readonly text: string;
  /** The offset after the next mark from an offset on. */
  readonly after: (mark: string, from: number) => number | undefined;
}

function endOf(found: RegExpExecArray, { text, after }: Search): number | undefined {
  const [opening, environment, tag, shortcode, extension] = found;
  const from = found.index + opening.length;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex : undefined;
  };
  const pair = (mark: string, closing: string) => {
    const inner = after(mark, from);
    return inner === undefined ? undefined : after(closing, inner);
  };
  if (environment !== undefined) return after(`\\end{${environment}}`, from);
  if (tag !== undefined) return pair(`end${tag}`, "%}") ?? after("%}", from);
  if (shortcode !== undefined) return pair(`/${shortcode}`, "}}") ?? after("}}", from);
  if (extension !== undefined) return pair("{:/", "}");
  if (opening === "%") return match(LINE);
  if (opening === "$") return formulaEnd(text, after("$", from), from);
  if (opening === "@[") return match(EMBED);
  if (opening.startsWith("\\")) return after(opening.endsWith("[") ? "\\]" : "\\)", from);
  return after(CLOSINGS[opening] ?? opening, from);
}

/** The end of a formula in a line: no space is before its last mark, and no digit after it. */
function formulaEnd(text: string, end: number | undefined, from: number): number | undefined {
  if (end === undefined) return undefined;
  const isClosed = /^[^\s\\$]\$(?!\d)/.test(text.slice(end - 2, end + 1));
  return isClosed && !text.slice(from, end).includes("\n") ? end : undefined;
}

const CLOSINGS: Readonly<Record<string, string>> = {
  "{%": "%}",
  "{{": "}}",
  "{/*": "*/}",
};
