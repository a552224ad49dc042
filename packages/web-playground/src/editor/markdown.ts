import type { StreamParser, StringStream } from "@codemirror/language";

/** The fence that closes the code which the line is in; empty outside of code. */
interface MarkdownState {
  fence: string;
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
/** What only begins a line, and how it is coloured; the rest of the line goes with a heading. */
const blocks: readonly (readonly [RegExp, string])[] = [
  [/^\s{0,3}#{1,6}(?=\s|$).*/, "heading"],
  [/^\s{0,3}(?:=+|-{3,})\s*$/, "processingInstruction"],
  [/^\s*(?:[-*+]|\d{1,9}[.)])(?=\s)/, "processingInstruction"],
  [/^\s{0,3}>/, "processingInstruction"],
];
/** What may stand anywhere; each looks only so far, so that no line makes it slow. */
const spans: readonly (readonly [RegExp, string])[] = [
  [/^`[^`]{1,400}`/, "monospace"],
  [/^(?:\*\*(?=\S)[^*]{1,400}\*\*|__(?=\S)[^_]{1,400}__)/, "strong"],
  [/^(?:\*(?=[^\s*])[^*]{1,400}\*|_(?=[^\s_])[^_]{1,400}_(?!\w))/, "emphasis"],
  [/^!?\[[^\]]{0,400}\]\([^)]{0,800}\)/, "link"],
  [/^\[\[[^\]]{1,400}\]\]/, "link"],
  [/^<?https?:\/\/[^\s>]{1,800}>?/, "url"],
];

/** Enough of Markdown to colour it: a whole grammar is ten times as large. */
export const markdown: StreamParser<MarkdownState> = {
  name: "markdown",
  startState: () => ({ fence: "" }),
  token(stream, state) {
    if (state.fence !== "") return readCode(stream, state);
    if (stream.sol()) {
      const opened = FENCE.exec(stream.string);
      if (opened !== null) {
        state.fence = opened[1] ?? "";
        stream.skipToEnd();
        return "processingInstruction";
      }
      const block = blocks.find(([form]) => stream.match(form));
      if (block !== undefined) return block[1];
    }
    const span = spans.find(([form]) => stream.match(form));
    if (span !== undefined) return span[1];
    // A word whole, so that what is in one, as the _ of a name, begins nothing.
    if (!stream.match(/^[\w\s]+/)) stream.next();
    return null;
  },
};

function readCode(stream: StringStream, state: MarkdownState): string {
  const closed = FENCE.exec(stream.string)?.[1] ?? "";
  const isClosed = closed.startsWith(state.fence) && stream.string.trim() === closed;
  stream.skipToEnd();
  if (!isClosed) return "monospace";
  state.fence = "";
  return "processingInstruction";
}
