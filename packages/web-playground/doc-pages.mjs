// What the page's links to seeds and measured facts lead to: this repository's own Markdown, to be
// read as it is written, with a place for every heading.
import { readFileSync } from "node:fs";
import { isHeading, parseMarkdown, parseTree } from "@idewire/core/markdown";

const FOLDER = "../../docs";
const PAGES = {
  "docs/seeds.html": "reference/seeds.md",
  "docs/claude-code.html": "reference/protocol/claude-code.md",
  "docs/measured.html": "clients/claude-code.md",
  "docs/copilot-cli.html": "clients/copilot-cli.md",
};

/** The pages by their names, with the address of the style sheet from the page on. */
export function docPages(sheet) {
  return Object.entries(PAGES).map(([name, file]) => {
    const text = readFileSync(`${FOLDER}/${file}`, "utf8");
    return [name, toHtml(text, sheet)];
  });
}

function toHtml(markdown, sheet) {
  const { headings } = parseMarkdown(markdown);
  const [title = "idewire"] = headings;
  const words = headings.values();
  let body = "";
  let at = 0;
  parseTree(markdown).iterate({
    enter({ name, from, to }) {
      if (isHeading({ name })) {
        const heading = escapeHtml(markdown.slice(from, to));
        body += `${escapeHtml(markdown.slice(at, from))}${mark(heading, words.next().value)}`;
        at = to;
      } else if (name === "CommentBlock") {
        body += escapeHtml(markdown.slice(at, from));
        at = to + markdown.slice(to).search(/[^\n]|$/);
      }
    },
  });
  body += escapeHtml(markdown.slice(at));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="../${sheet}">
</head>
<body>
<main class="doc-page"><pre>${body}</pre></main>
</body>
</html>
`;
}

function mark(heading, words) {
  const id = words
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
  return `<b id="${id}">${heading}</b>`;
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
