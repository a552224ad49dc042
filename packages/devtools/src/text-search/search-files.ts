import { countLineEnds } from "@idewire/core/internal";
import { MAX_TEXT_UNITS } from "../page-protocol/params.ts";
import { occurrencesOf, type TextMatching } from "./occurrences.ts";

/** A plain text to search for in the lines of files. */
export interface TextQuery extends TextMatching {
  readonly text: string;
}

/** A line with one or more matches. */
export interface FoundLine {
  /** From 0. */
  readonly line: number;
  /** The line, or of a long one the part around the first match. */
  readonly text: string;
  /** Where that part begins in the line, in UTF-16 units. */
  readonly from: number;
  /** The start and end of each match in `text`. */
  readonly matches: readonly (readonly [start: number, end: number])[];
}

/** A file, and its lines with matches. */
export interface FoundFile {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** How a search ended. */
export interface SearchEnd {
  /** How many files were searched. */
  readonly files: number;
  /** Why it ended early: at a limit, or because another one began; left out if it did not. */
  readonly cut?: "lines" | "time" | "units" | "stopped";
}

/** The cost that one search may have. */
export interface SearchLimits {
  readonly lines: number;
  readonly ms: number;
  /** Of text, in UTF-16 units. */
  readonly units: number;
}

/** What a search reads, and what it reports to. */
export interface SearchedFiles {
  /** Their paths, in batches. */
  readonly paths: AsyncIterable<readonly string[]> | Iterable<readonly string[]>;
  /** The text of a file; undefined if it has none, such as a binary file. Longer ones than a page shows are left out. */
  readonly read: (path: string) => Promise<string | undefined> | string | undefined;
  /** The search continues when this settles. */
  readonly take: (found: readonly FoundFile[]) => Promise<void> | void;
  readonly signal: AbortSignal;
  readonly limits?: SearchLimits;
}

const LIMITS: SearchLimits = { lines: 10_000, ms: 30_000, units: 1024 * 1024 * 1024 };

/** How many files are read at once. */
const BATCH = 8;
/** How much of a long line is shown, in UTF-16 units, and how much of that before its first match. */
const SHOWN = { units: 240, before: 40 };

/** Searches files for a plain text; what is found is reported in batches. */
export async function searchFiles(query: TextQuery, files: SearchedFiles): Promise<SearchEnd> {
  const { limits = LIMITS, signal } = files;
  const began = performance.now();
  const spent = { files: 0, lines: 0, units: 0 };
  const cut = (): SearchEnd["cut"] => {
    if (signal.aborted) return "stopped";
    if (spent.lines >= limits.lines) return "lines";
    if (spent.units >= limits.units) return "units";
    return performance.now() - began >= limits.ms ? "time" : undefined;
  };
  for await (const paths of files.paths) {
    for (let at = 0; at < paths.length; at += BATCH) {
      const reason = cut();
      if (reason !== undefined) return { files: spent.files, cut: reason };
      const batch = paths.slice(at, at + BATCH);
      const texts = await Promise.all(batch.map(async (path) => files.read(path)));
      const found: FoundFile[] = [];
      for (const [index, path] of batch.entries()) {
        const text = texts[index];
        if (text === undefined || text.length > MAX_TEXT_UNITS) continue;
        spent.files += 1;
        spent.units += text.length;
        const lines = findLines(query, text, limits.lines - spent.lines);
        spent.lines += lines.length;
        if (lines.length > 0) found.push({ path, lines });
      }
      if (found.length > 0 && !signal.aborted) await files.take(found);
    }
  }
  const reason = cut();
  return { files: spent.files, ...(reason !== undefined && { cut: reason }) };
}

/** A line while its matches are collected. */
interface LineInText {
  readonly line: number;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  /** Where its shown part begins in the text. */
  readonly from: number;
  readonly matches: (readonly [start: number, end: number])[];
}

/** The lines of a text with matches, at most `count`; the cost grows with the text alone, however long its lines. */
function findLines(query: TextQuery, text: string, count: number): readonly FoundLine[] {
  const found: LineInText[] = [];
  let line = 0;
  let counted = 0;
  for (const [start, end] of occurrencesOf(query.text, text, query)) {
    const last = found.at(-1);
    if (last === undefined || start >= last.end) {
      if (found.length === count) break;
      line += countLineEnds(text, counted, start);
      found.push(lineAt(text, { line, start, after: last?.end ?? 0 }));
      counted = start;
    }
    const { from, matches } = found.at(-1) as LineInText;
    if (start < from + SHOWN.units) matches.push([start - from, end - from]);
  }
  return found.map(({ start, end, from, matches, ...of }) => {
    const shown = text.slice(from, Math.min(end, from + SHOWN.units));
    const cut = matches.map(([begin, until]) => [begin, Math.min(until, shown.length)] as const);
    return { ...of, text: shown, from: from - start, matches: cut };
  });
}

/** The line of a match; the previous line with one ended at `after`. */
function lineAt(
  text: string,
  { line, start, after }: { readonly line: number; readonly start: number; readonly after: number },
): LineInText {
  const isEnd = (at: number): boolean => text[at] === "\n" || text[at] === "\r";
  let begin = start;
  while (begin > after && !isEnd(begin - 1)) begin -= 1;
  let end = start;
  while (end < text.length && !isEnd(end)) end += 1;
  const from = end - begin <= SHOWN.units ? begin : Math.max(begin, start - SHOWN.before);
  return { line, start: begin, end, from, matches: [] };
}
