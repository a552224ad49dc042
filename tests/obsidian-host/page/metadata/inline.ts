import type { CachedMetadata, EmbedCache, FootnoteRefCache, LinkCache, TagCache } from "obsidian";
import type { Lines } from "./lines.ts";

export interface Inline {
  readonly links: LinkCache[];
  readonly embeds: EmbedCache[];
  readonly tags: TagCache[];
  readonly footnoteRefs: FootnoteRefCache[];
}

const pattern = new RegExp(
  [
    /(?<code>`+)(?!`)[^\n]*?[^`]\k<code>(?!`)/,
    /(?<comment>%%[\s\S]*?(?:%%|$))/,
    /(?<math>\$[^\s$](?:[^$\n]*[^\s$])?\$)/,
    /(?<wiki>!?\[\[[^[\]\n]+?\]\])/,
    /(?<inlineNote>\^\[)/,
    /(?<note>\[\^[^\]\s]+\](?!:))/,
    /(?<markdown>!?\[(?:[^[\]\n]|\[[^\]\n]*\])*\]\((?:<[^>\n]*>|[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+"[^"\n]*")?\))/,
    /(?<tag>(?<=^|[\s,;.(])#[\p{L}\p{N}_/\-\p{Emoji_Presentation}]+)/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gmu",
);

/** Finds what stands in the text of one section. */
export function scanInline(lines: Lines, from: number, to: number, found: Inline): void {
  const text = lines.text.slice(from, to);
  for (const match of text.matchAll(pattern)) {
    const { wiki, markdown, note, tag } = match.groups ?? {};
    const [start, end] = [from + match.index, from + match.index + match[0].length];
    const position = () => lines.posAt(start, end);
    if (wiki !== undefined) addWiki(found, wiki, position());
    else if (markdown !== undefined) addMarkdown(found, markdown, position());
    else if (note !== undefined)
      found.footnoteRefs.push({ id: note.slice(2, -1), position: position() });
    else if (tag !== undefined && /[^\d]/.test(tag.slice(1)))
      found.tags.push({ tag, position: position() });
  }
}

type Position = NonNullable<CachedMetadata["links"]>[number]["position"];

function addWiki(found: Inline, original: string, position: Position): void {
  const isEmbed = original.startsWith("!");
  const inner = original.slice(isEmbed ? 3 : 2, -2);
  const bar = inner.replace(/\\\|/g, " |").indexOf("|");
  const link = (bar < 0 ? inner : inner.slice(0, bar)).replace(/\\$/, "").trim();
  const displayText = bar < 0 ? link.replace(/#/g, " > ") : inner.slice(bar + 1).replace(/^\|/, "");
  (isEmbed ? found.embeds : found.links).push({ link, original, displayText, position });
}

function addMarkdown(found: Inline, original: string, position: Position): void {
  const split = original.lastIndexOf("](");
  const isEmbed = original.startsWith("!");
  const target = original
    .slice(split + 2, -1)
    .replace(/[ \t]+"[^"]*"$/, "")
    .replace(/^<|>$/g, "");
  // What has a scheme leads out of the vault.
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target === "") return;
  const displayText = original.slice(isEmbed ? 2 : 1, split);
  (isEmbed ? found.embeds : found.links).push({
    link: decoded(target),
    original,
    displayText,
    position,
  });
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
