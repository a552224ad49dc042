import type { Palette } from "../terminal/palette.ts";
import type { Block, Section } from "./manual.ts";

/** Wider lines are hard to read, and narrower ones than this hold nothing. */
const [MIN_WIDTH, MAX_WIDTH] = [24, 80];
const INDENT = 2;
/** Longer terms have a line of their own. */
const MAX_TERM = 26;

export interface TextLayout {
  /** Of the terminal; at most 80 is used. */
  readonly columns: number;
  readonly palette: Palette;
}

/** A page for the terminal. */
export function renderText(sections: readonly Section[], layout: TextLayout): string {
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, layout.columns));
  const pieces = sections.map(({ title, blocks }) => {
    const column = termColumn(blocks, width);
    const lines = blocks.flatMap((block, index) => [
      ...(block.kind === "entry" || index === 0 ? [] : [""]),
      ...renderBlock(block, width, column),
    ]);
    return [layout.palette.bold(title).text, ...lines].join("\n");
  });
  return `${pieces.join("\n\n")}\n`;
}

/** Where the meanings start: beside the terms, or below them where there is no room. */
function termColumn(blocks: readonly Block[], width: number): number {
  const terms = blocks.flatMap((block) => (block.kind === "entry" ? [block.term.length] : []));
  const longest = Math.max(0, ...terms.filter((length) => length <= MAX_TERM));
  const column = INDENT + longest + 2;
  return column > width / 2 ? INDENT + 4 : column;
}

function renderBlock(block: Block, width: number, column: number): readonly string[] {
  switch (block.kind) {
    case "text":
      return indent(wrap(block.text, width - INDENT, width), INDENT, width);
    case "example":
      return [
        ...indent(wrapCommand(block.term, width), INDENT, width),
        ...indent(wrap(block.text, width - INDENT - 4, width), INDENT + 4, width),
      ];
    default:
      return renderEntry(block.term, block.text, width, column);
  }
}

function renderEntry(
  term: string,
  words: string,
  width: number,
  column: number,
): readonly string[] {
  const meaning = indent(wrap(words, width - column, width), column, width);
  const head = `${" ".repeat(INDENT)}${term}`;
  const [first = "", ...rest] = meaning;
  if (head.length + 2 > column || column + first.trimStart().length > width) {
    return [...indent(wrap(term, width - INDENT, width), INDENT, width), ...meaning];
  }
  return [head.padEnd(column) + first.trimStart(), ...rest];
}

/** Something to type is broken as a shell takes it. */
function wrapCommand(command: string, width: number): readonly string[] {
  // Beside the indent there is room for the sign that it goes on.
  const lines = wrap(`$ ${command}`, width - INDENT - 4, width - 4);
  return lines.map((line, index) => {
    const start = index === 0 ? "" : "  ";
    return `${start}${line}${index < lines.length - 1 ? " \\" : ""}`;
  });
}

/** Less than that where a word would not fit otherwise. */
function indent(lines: readonly string[], by: number, width: number): readonly string[] {
  return lines.map(
    (line) => `${" ".repeat(Math.max(0, Math.min(by, width - line.length)))}${line}`,
  );
}

/** Breaks at spaces; a word is cut only where it is longer than the whole line, indent and all. */
function wrap(text: string, width: number, whole: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = "";
    }
    current = current === "" ? word : `${current} ${word}`;
    while (current.length > whole) {
      lines.push(current.slice(0, whole));
      current = current.slice(whole);
    }
  }
  return [...lines, current];
}
