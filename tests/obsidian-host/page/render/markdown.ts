import MarkdownIt from "markdown-it";

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });
type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

const wikiLink = /\[\[([^[\]\n|]+)(?:\|([^[\]\n]+))?\]\]/y;

parser.inline.ruler.before("link", "wiki-link", readWikiLink);

function readWikiLink(...[state, silent]: Parameters<InlineRule>): boolean {
  wikiLink.lastIndex = state.pos;
  const [original, link = "", alias = link.replaceAll("#", " > ")] = wikiLink.exec(state.src) ?? [];
  if (original === undefined) return false;
  if (!silent) {
    const [href, text] = [link, alias].map(parser.utils.escapeHtml);
    state.push("html_inline", "", 0).content =
      `<a class="internal-link" data-href="${href}" href="${href}">${text}</a>`;
  }
  state.pos += original.length;
  return true;
}

const open = new MarkdownIt({ html: true, linkify: false, breaks: true });
open.use((own) => own.inline.ruler.before("link", "wiki-link", readWikiLink));

/** The HTML of a whole text, images and HTML included. */
export function wholeHtml(source: string): string {
  return open.render(source);
}

/** The HTML of one section, as Obsidian's reading mode shows it. */
export function sectionHtml(type: string, source: string): string {
  return type === "yaml" ? "" : parser.render(withoutIds(source));
}

function withoutIds(source: string): string {
  return source.replace(/[ \t]\^[A-Za-z0-9-]+[ \t]*$/gm, "");
}
