/** A character that starts something which is loaded or run when it is rendered, and its entity. */
const ENTITIES: Readonly<Record<string, string>> = { "!": "&#33;", "<": "&lt;", $: "&#36;" };

/** A line that opens or closes a code block, at whatever depth of lists and quotes. */
const FENCE = /^((?:[^\S\r\n]|[>*+.)\d-])*(?:`{3,}|~{3,}))[^\r\n]*/gm;

/**
 * Rewrites Markdown so that rendering it loads nothing and runs nothing: an agent has written it, and
 * nobody has accepted it yet. Images, embeds, HTML and formulas become text, and code blocks lose their
 * language, so that no plugin runs them. Tables, links, callouts, lists and emphasis stay.
 */
export function makeInert(markdown: string): string {
  // An entity cannot be escaped into its character again, as a backslash before `![` could.
  return markdown
    .replace(/!(?=\[)|[<$]/g, (character) => ENTITIES[character] ?? character)
    .replace(FENCE, "$1")
    .replace(/(?<!`)(`+)(?!`)/g, (run: string, ticks: string, at: number, all: string) => {
      const line = all.slice(
        Math.max(all.lastIndexOf("\n", at), all.lastIndexOf("\r", at)) + 1,
        at,
      );
      const isFence = ticks.length >= 3 && /^[\s>*+.)\d-]*$/.test(line);
      // Plugins look for their own prefixes at the start of inline code.
      return isFence ? run : `${run}\u2060`;
    });
}

/** The blocks of a note, separated by empty lines; what is fenced is one block, properties are none. */
export function splitBlocks(text: string): readonly string[] {
  const blocks: string[][] = [];
  let fence: string | undefined;
  let isOpen = false;
  for (const line of withoutProperties(text).split(/\r\n|\r|\n/)) {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (line.trim() === "" && fence === undefined) {
      isOpen = false;
      continue;
    }
    const last = blocks.at(-1);
    if (isOpen && last !== undefined) last.push(line);
    else blocks.push([line]);
    isOpen = true;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
  }
  return blocks.map((lines) => lines.join("\n"));
}

function withoutProperties(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/, "");
}
