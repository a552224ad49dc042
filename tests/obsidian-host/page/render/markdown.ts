import MarkdownIt from "markdown-it";

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });
const wikiLink = /\[\[([^[\]\n|]+)(?:\|([^[\]\n]+))?\]\]/y;

parser.inline.ruler.before("link", "wiki-link", (state, silent) => {
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
});

/** The HTML of one section, as Obsidian's reading mode shows it. */
export function sectionHtml(type: string, source: string): string {
  return type === "yaml" ? "" : parser.render(withoutIds(source));
}

function withoutIds(source: string): string {
  return source.replace(/[ \t]\^[A-Za-z0-9-]+[ \t]*$/gm, "");
}
