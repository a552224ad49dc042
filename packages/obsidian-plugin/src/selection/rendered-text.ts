/** The visible characters of a text, without white space, with their offsets in the source. */
export interface RenderedText {
  readonly text: string;
  /** For each UTF-16 unit of `text`, where what renders as it starts in the source … */
  readonly starts: readonly number[];
  /** … and where it ends. */
  readonly ends: readonly number[];
}

/**
 * Renders simple Markdown as text. It need not be exact: callers compare the result with the rendered
 * note, and discard it if they differ.
 */
export function renderText(source: string): RenderedText {
  const out = { text: "", starts: [] as number[], ends: [] as number[] };
  const emit = (shown: string, start: number, end: number) => {
    for (let index = 0; index < shown.length; index += 1) {
      const unit = shown[index] ?? "";
      if (/\s/.test(unit)) continue;
      const isVerbatim = shown.length === end - start;
      out.text += unit;
      out.starts.push(isVerbatim ? start + index : start);
      out.ends.push(isVerbatim ? start + index + 1 : end);
    }
  };
  if (!renderFence(source, emit)) {
    let offset = 0;
    for (const line of source.split("\n")) {
      renderLine(line, offset, emit);
      offset += line.length + 1;
    }
  }
  return out;
}

/** Removes white space, which rendering adds and removes. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

type Emit = (shown: string, start: number, end: number) => void;

/** A code block shows its lines unchanged. */
function renderFence(source: string, emit: Emit): boolean {
  const lines = source.split("\n");
  const [opening = "", ...rest] = lines;
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(opening)?.[1];
  if (fence === undefined) return false;
  const isClosed = rest.at(-1)?.trim().startsWith(fence) === true;
  const code = (isClosed ? rest.slice(0, -1) : rest).join("\n");
  const start = opening.length + 1;
  emit(code, start, start + code.length);
  return true;
}

/** Quote marks, a callout's type, list marks, tasks, heading marks. */
const LINE_START =
  /^\s*(?:>\s?)*(?:\[![\w-]+\][+-]?\s*)?(?:(?:[-*+]|\d{1,9}[.)])\s+)*(?:\[.\]\s+)?(?:#{1,6}\s+)?/;
const MAX_RULE_UNITS = 1000;
/** Lines that show nothing: rules, underlines of headings, the second line of a table. */
const NO_LINE =
  /^\s*(?:>\s?)*(?:[-=*_](?:\s*[-=*_]){2,}\s*|\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?)$/;
const BLOCK_ID = /\s\^[\w-]{1,200}\s{0,100}$/;

function renderLine(line: string, offset: number, emit: Emit): void {
  // No rule is longer.
  if (line.length < MAX_RULE_UNITS && NO_LINE.test(line)) return;
  const start = LINE_START.exec(line)?.[0].length ?? 0;
  const end = BLOCK_ID.exec(line)?.index ?? line.replace(/\s#{1,100}\s{0,100}$/, "").length;
  const isTable = /^\s*\|/.test(line);
  renderInline(line.slice(start, end), offset + start, { emit, isTable });
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

/**
 * One piece of markup: one group per kind, tried in this order. All repetitions are bounded, since notes
 * may be hostile, and a run of backticks opens as a whole, since trying its parts would be quadratic.
 */
const INLINE =
  /\\([!-/:-@[-`{-~])|(?<!(?<!\\)`)(`+)(?!`)((?:(?!\2).){1,500}?)\2(?!`)|!\[\[[^\]]{0,500}\]\]|!\[[^\]]{0,500}\]\([^)]{0,500}\)|\[\[(?:[^\]|]{0,500}\|)?([^\]|]{1,500})\]\]|\[((?:[^\][]|\[[^\]]{0,99}\]){0,500})\]\((?:[^()]|\([^()]{0,99}\)){0,500}\)|%%.{0,500}?%%|<!--.{0,500}?-->|<(https?:[^>\s]{1,500})>|<\/?[a-z][^>]{0,500}>|&(\w{1,9}|#39);|(\*+|~~|==|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}]))|(\|)/giu;

interface InlineOutput {
  readonly emit: Emit;
  readonly isTable: boolean;
}

function renderInline(source: string, offset: number, inline: InlineOutput): void {
  const { emit, isTable } = inline;
  let done = 0;
  for (const match of source.matchAll(INLINE)) {
    const [all, escaped, , code, linkName, linkText, url, entity, , pipe] = match;
    const start = offset + match.index;
    emit(source.slice(done, match.index), offset + done, start);
    done = match.index + all.length;
    const end = offset + done;
    if (escaped !== undefined) emit(escaped, start + 1, end);
    else if (code !== undefined)
      emit(code, start + all.indexOf(code), start + all.indexOf(code) + code.length);
    else if (linkName !== undefined) emit(linkName, end - 2 - linkName.length, end - 2);
    else if (linkText !== undefined) renderInline(linkText, start + 1, inline);
    else if (url !== undefined) emit(url, start + 1, end - 1);
    else if (entity !== undefined) emit(entities[entity] ?? all, start, end);
    else if (pipe !== undefined && !isTable) emit(pipe, start, end);
  }
  emit(source.slice(done), offset + done, offset + source.length);
}
