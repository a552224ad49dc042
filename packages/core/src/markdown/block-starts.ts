/**
 * The start of a block of raw HTML, which ends with a match of `end`, or by default with a blank
 * line.
 */
export interface HtmlStart {
  readonly end: RegExp | undefined;
  /** Whether it may interrupt a paragraph. */
  readonly interrupts: boolean;
}

const BLOCK_TAGS =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";

/** The seven kinds of CommonMark 0.31, section 4.6. */
const HTML_STARTS: readonly (readonly [start: RegExp, HtmlStart])[] = [
  [
    /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i,
    { end: /<\/(?:script|pre|style|textarea)>/i, interrupts: true },
  ],
  [/^<!--/, { end: /-->/, interrupts: true }],
  [/^<\?/, { end: /\?>/, interrupts: true }],
  [/^<![a-z]/i, { end: />/, interrupts: true }],
  [/^<!\[CDATA\[/, { end: /\]\]>/, interrupts: true }],
  [new RegExp(`^</?(?:${BLOCK_TAGS})(?:\\s|/?>|$)`, "i"), { end: undefined, interrupts: true }],
  [
    /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i,
    { end: undefined, interrupts: false },
  ],
];

export function htmlStart(rest: string): HtmlStart | undefined {
  if (!rest.startsWith("<")) return undefined;
  return HTML_STARTS.find(([start]) => start.test(rest))?.[1];
}

/** The fence that opens a code block, such as ```` ``` ````. */
export function fenceStart(rest: string): string | undefined {
  const [fence] = /^(?:`{3,}|~{3,})/.exec(rest) ?? [];
  if (fence === undefined) return undefined;
  return fence.startsWith("`") && rest.includes("`", fence.length) ? undefined : fence;
}

export function isFenceEnd(rest: string, fence: string): boolean {
  const [end] = /^(?:`+|~+)(?=[ \t]*$)/.exec(rest) ?? [];
  return end?.startsWith(fence) === true;
}

export function isThematicBreak(rest: string): boolean {
  return /^(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(rest);
}

export function isSetextUnderline(rest: string): boolean {
  return /^(?:=+|-+)[ \t]*$/.test(rest);
}

/** The offsets of a heading's text within its line, `# Like this #`. */
export function atxHeading(
  rest: string,
): { readonly start: number; readonly end: number } | undefined {
  const [opening] = /^#{1,6}(?:[ \t]+|$)/.exec(rest) ?? [];
  if (opening === undefined) return undefined;
  const words = rest.trimEnd();
  let end = words.length;
  while (words[end - 1] === "#") end--;
  const isClosed =
    end < words.length && (end <= opening.length || /[ \t]/.test(words[end - 1] ?? ""));
  const last = isClosed ? words.slice(0, end).trimEnd().length : words.length;
  return { start: opening.length, end: Math.max(opening.length, last) };
}

export interface ListMarker {
  readonly length: number;
  /** Whether such an item may interrupt a paragraph. */
  readonly interrupts: boolean;
}

export function listMarker(rest: string): ListMarker | undefined {
  const [marker] = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest) ?? [];
  if (marker === undefined) return undefined;
  const isFirst = marker.length === 1 || /^0*1[.)]$/.test(marker);
  return { length: marker.length, interrupts: isFirst && rest.slice(marker.length).trim() !== "" };
}
