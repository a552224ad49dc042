import { obsidian, parseTree, type SyntaxNode } from "@idewire/core/markdown";

/** The characters that start content which is loaded or run when rendered, and their entities. */
const ENTITIES: Readonly<Record<string, string>> = { "!": "&#33;", "<": "&lt;", $: "&#36;" };

/** A line that opens or closes a code block, at any depth of lists and quotes. */
const FENCE = /^((?:[^\S\r\n]|[>*+.)\d-])*(?:`{3,}|~{3,}))[^\r\n]*/gm;

/**
 * Rewrites Markdown so that rendering it loads nothing and runs nothing: it comes from an agent, and is not
 * accepted yet. Images, embeds, HTML and formulas become text, and code blocks lose their language, so that no
 * plugin runs them. Tables, links, callouts, lists and emphasis stay.
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

/**
 * The blocks of a note, separated by empty lines; an item of a list may be one, properties are none. Their
 * limits come from the syntax tree, while `makeInert` changes characters wherever they are: what it lets
 * through must not depend on one parser's judgement.
 */
export function splitBlocks(text: string): readonly string[] {
  const blocks: { from: number; to: number }[] = [];
  for (const { from, to } of piecesOf(parseTree(text, obsidian).topNode)) {
    const last = blocks.at(-1);
    const isApart = last === undefined || /\n[ \t]*\r?\n/.test(text.slice(last.to, from));
    if (isApart) blocks.push({ from: text.lastIndexOf("\n", from) + 1, to });
    else last.to = to;
  }
  return blocks.map(({ from, to }) => text.slice(from, to).trimEnd());
}

function* piecesOf(node: SyntaxNode): Iterable<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === "BulletList" || child.name === "OrderedList") yield* piecesOf(child);
    else if (child.name !== "FrontMatter") yield child;
  }
}
