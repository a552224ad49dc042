import type { SectionCache } from "obsidian";
import type { Lines } from "./lines.ts";

interface Block {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const note = /^\[\^[^\]\s]+\]:/;
const callout = /^ {0,3}>[ \t]*\[![^\]]+\]/;
const divider = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** The blocks of a note, as Obsidian's metadata cache lists them. */
export function sectionsOf(lines: Lines): SectionCache[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.lines.length) {
    const block = blockAt(lines.lines, at);
    if (block === undefined) at += 1;
    else {
      blocks.push(block);
      at = block.to + 1;
    }
  }
  return blocks.map(({ type, from, to }) => ({ type, position: lines.span(from, to) }));
}

function blockAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  if (line.trim() === "") return undefined;
  if (at === 0 && /^---[ \t]*$/.test(line)) {
    const end = lines.findIndex((each, index) => index > 0 && /^---[ \t]*$/.test(each));
    if (end > 0) return { type: "yaml", from: 0, to: end };
  }
  return (
    closedBlock(lines, at) ??
    oneLiner(lines, at) ??
    quoteAt(lines, at) ??
    listAt(lines, at) ??
    tableAt(lines, at) ??
    paragraphAt(lines, at)
  );
}

/** Blocks that have an opener and a closer; without a closer they reach to the end. */
function closedBlock(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  const [, marks = "", info = ""] = fence.exec(line) ?? [];
  if (marks !== "" && !(marks.startsWith("`") && info.includes("`"))) {
    const closer = new RegExp(`^ {0,3}${marks[0]}{${marks.length},}[ \\t]*$`);
    return { type: "code", from: at, to: closeAt(lines, at, closer) };
  }
  if (/^[ \t]*\$\$/.test(line)) {
    if (/^[ \t]*\$\$.+\$\$[ \t]*$/.test(line)) return { type: "math", from: at, to: at };
    return { type: "math", from: at, to: closeAt(lines, at, /\$\$[ \t]*$/) };
  }
  if (/^%%/.test(line)) {
    if (/^%%.*%%/.test(line))
      return /^%%.*%%[ \t]*$/.test(line) ? { type: "comment", from: at, to: at } : undefined;
    return { type: "comment", from: at, to: closeAt(lines, at, /%%/) };
  }
  if (/^ {0,3}<!--/.test(line)) {
    return { type: "html", from: at, to: line.includes("-->") ? at : closeAt(lines, at, /-->/) };
  }
  if (/^ {0,3}<\/?[a-z][a-z0-9-]*(?:[\s/>]|$)/i.test(line))
    return { type: "html", from: at, to: untilBlank(lines, at) };
  return undefined;
}

function closeAt(lines: readonly string[], at: number, closer: RegExp): number {
  const end = lines.findIndex((line, index) => index > at && closer.test(line));
  return end < 0 ? lines.length - 1 : end;
}

function untilBlank(lines: readonly string[], at: number): number {
  let end = at;
  while ((lines[end + 1] ?? "").trim() !== "") end += 1;
  return end;
}

function oneLiner(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? "";
  if (heading.test(line)) return { type: "heading", from: at, to: at };
  if (rule.test(line)) return { type: "thematicBreak", from: at, to: at };
  if (note.test(line)) return { type: "footnoteDefinition", from: at, to: indentedEnd(lines, at) };
  return undefined;
}

/** Lines that are indented below one belong to it, over blank lines too. */
function indentedEnd(lines: readonly string[], at: number): number {
  let end = at;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    const continues = /^(?: {2,}|\t)/.test(line) || (next === end + 1 && isPlain(line));
    if (!continues) break;
    end = next;
  }
  return end;
}

function quoteAt(lines: readonly string[], at: number): Block | undefined {
  if (!/^ {0,3}>/.test(lines[at] ?? "")) return undefined;
  let end = at;
  while (/^ {0,3}>/.test(lines[end + 1] ?? "") || isPlain(lines[end + 1] ?? "")) end += 1;
  return { type: callout.test(lines[at] ?? "") ? "callout" : "blockquote", from: at, to: end };
}

function listAt(lines: readonly string[], at: number): Block | undefined {
  if (!item.test(lines[at] ?? "")) return undefined;
  let end = at;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? "";
    if (line.trim() === "") continue;
    const lazy = next === end + 1 && isPlain(line);
    if (!(item.test(line) && !rule.test(line)) && !/^(?: {2,}|\t)/.test(line) && !lazy) break;
    end = next;
  }
  return { type: "list", from: at, to: end };
}

function tableAt(lines: readonly string[], at: number): Block | undefined {
  const [head = "", second = ""] = [lines[at], lines[at + 1]];
  if (!head.includes("|") || !second.includes("-") || !divider.test(second)) return undefined;
  let end = at + 1;
  while ((lines[end + 1] ?? "").includes("|")) end += 1;
  return { type: "table", from: at, to: end };
}

function paragraphAt(lines: readonly string[], at: number): Block {
  let end = at;
  while (isPlain(lines[end + 1] ?? "")) end += 1;
  const underlined =
    /^ {0,3}(?:=+|-+)[ \t]*$/.test(lines[end + 1] ?? "") && (lines[end + 1] ?? "") !== "";
  if (underlined) return { type: "heading", from: at, to: end + 1 };
  return { type: "paragraph", from: at, to: end };
}

/** Whether a line goes on with the paragraph above it. */
function isPlain(line: string): boolean {
  if (line.trim() === "") return false;
  if (heading.test(line) || fence.test(line) || item.test(line) || note.test(line)) return false;
  return (
    !/^ {0,3}>/.test(line) &&
    !/^%%|^[ \t]*\$\$/.test(line) &&
    !rule.test(line) &&
    !/^ {0,3}=+[ \t]*$/.test(line)
  );
}
