/**
 * The line endings of a proposal. Agents read CRLF as LF and propose texts with LF; they write an edit with
 * the ending that most lines of the file have (docs/clients/claude-code.md, Diffs). A proposal that
 * changes nothing but line endings is meant to change them.
 */

/** The current text as the agent has read it: with LF, if it will restore CRLF when it writes. */
export function asProposed(current: string, proposed: string): string {
  return restoresEndings(current, proposed) ? withLineFeeds(current) : current;
}

/** The proposal as the agent will write it: with the line ending that most lines of the file have. */
export function asWritten(current: string, proposed: string): string {
  if (!restoresEndings(current, proposed)) return proposed;
  const all = current.split("\n").length - 1;
  const crlf = current.split("\r\n").length - 1;
  return crlf > all - crlf ? proposed.replaceAll("\n", "\r\n") : proposed;
}

function restoresEndings(current: string, proposed: string): boolean {
  const isNormalized = proposed.includes("\n") && !proposed.includes("\r\n");
  return isNormalized && current.includes("\r\n") && linesOf(current) !== linesOf(proposed);
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** With all line endings as `\n`, without the byte order mark. */
function linesOf(text: string): string {
  return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}
