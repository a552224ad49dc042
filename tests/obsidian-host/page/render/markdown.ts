import MarkdownIt from "markdown-it";

type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["before"]>[2];

const parser = new MarkdownIt({ html: false, linkify: false, breaks: true });

const escaped = (text: string) => parser.utils.escapeHtml(text);

/** An inline construct of Obsidian's, told by its first characters. */
function construct(
  name: string,
  pattern: RegExp,
  render: (groups: readonly string[]) => string,
): void {
  const rule: InlineRule = (state, silent) => {
    pattern.lastIndex = state.pos;
    const match = pattern.exec(state.src);
    if (match === null) return false;
    if (!silent) {
      const token = state.push("html_inline", "", 0);
      token.content = render(match);
    }
    state.pos += match[0].length;
    return true;
  };
  parser.inline.ruler.before("link", name, rule);
}

construct("embed", /!\[\[([^[\]\n|]+)(?:\|([^[\]\n]+))?\]\]/y, ([, link = "", alt]) => {
  const [src, text] = [escaped(link), escaped(alt ?? link)];
  return `<span class="internal-embed" src="${src}" alt="${text}">${text}</span>`;
});
construct("wiki", /\[\[([^[\]\n|]+)(?:\|([^[\]\n]+))?\]\]/y, ([, link = "", alias]) => {
  const [href, text] = [escaped(link), escaped(alias ?? link.replaceAll("#", " > "))];
  return `<a class="internal-link" data-href="${href}" href="${href}">${text}</a>`;
});
construct("comment", /%%[\s\S]*?%%/y, () => "");
construct("note", /\[\^([^\]\s]+)\]/y, ([, id = ""]) => {
  return `<sup class="footnote-ref"><a class="footnote-link" href="#fn-${escaped(id)}">${escaped(id)}</a></sup>`;
});
construct("tag", /(?<=^|\s)#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/uy, ([, name = ""]) => {
  return `<a class="tag" href="#${escaped(name)}">#${escaped(name)}</a>`;
});
construct("mark", /==([^=\n]+)==/y, ([, text = ""]) => `<mark>${escaped(text)}</mark>`);
construct(
  "math",
  /\$([^\s$][^$\n]*)\$/y,
  ([, source = ""]) => `<span class="math math-inline">${escaped(source)}</span>`,
);
// The plain-text rule runs over what may begin one of these.
parser.inline.ruler.at("text", (state, silent) => {
  let end = state.pos;
  while (end < state.posMax && !/[\n!#$%&*+:<=>@[\\\]^_`{}~]/.test(state.src[end] ?? "")) end += 1;
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
});

function toHtml(markdown: string): string {
  return parser.render(markdown);
}

/** The HTML of one section, as Obsidian's reading mode shows it. */
export function sectionHtml(type: string, source: string): string {
  switch (type) {
    case "yaml":
    case "comment":
      return "";
    case "math":
      return `<div class="math math-block">${escaped(source.replace(/^\s*\$\$|\$\$\s*$/g, ""))}</div>`;
    case "callout":
      return callout(source);
    case "footnoteDefinition":
      return `<section class="footnotes">${toHtml(source.replace(/^\[\^([^\]]+)\]:/, "$1."))}</section>`;
    default:
      return toHtml(withoutIds(source)).replace(/<li>\[(.)\] /g, taskItem);
  }
}

function callout(source: string): string {
  const plain = source.replace(/^ {0,3}> ?/gm, "");
  const [first = "", ...rest] = plain.split("\n");
  const [, kind = "note", title = ""] = /^\[!([^\]]+)\][+-]?[ \t]*(.*)$/.exec(first) ?? [];
  const heading = title === "" ? kind.charAt(0).toUpperCase() + kind.slice(1) : title;
  return `<div class="callout" data-callout="${escaped(kind.toLowerCase())}"><div class="callout-title">
<div class="callout-title-inner">${parser.renderInline(heading)}</div></div>
<div class="callout-content">${toHtml(rest.join("\n"))}</div></div>`;
}

function withoutIds(source: string): string {
  return source.replace(/[ \t]\^[A-Za-z0-9-]+[ \t]*$/gm, "");
}

function taskItem(_: string, task: string): string {
  const checked = task === " " ? "" : " checked";
  return `<li class="task-list-item" data-task="${escaped(task)}"><input class="task-list-item-checkbox" type="checkbox"${checked}>`;
}
