import { posix, relative } from "node:path";
import { addressOf, docs, isExternal, sourceOf } from "./tree.mjs";

/**
 * Resolves relative links and pictures as in the repository: to a page of the site, or to a file on GitHub.
 * @param markdown VitePress's `MarkdownIt`
 */
export function repositoryLinks(markdown) {
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    // Of a title alone VitePress names no file.
    const file = env.realPath ?? env.path;
    if (file === undefined) return;
    const id = relative(docs, file).replaceAll("\\", "/");
    const source = sourceOf(id);
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      change(token, "href", (link) => addressOf(link, source));
      change(token, "src", (link) => pictureOf(link, source, id));
      if (!token.type.startsWith("html_")) continue;
      token.content = token.content
        .replace(/(?<=<a\b[^>]*\shref=")[^"]+/g, (link) => addressOf(link, source))
        .replace(/(?<=\s(?:src|srcset)=")[^"]+/g, (link) => pictureOf(link, source, id));
    }
  });
}

function change(token, attribute, to) {
  const link = token.attrGet(attribute);
  if (link !== null) token.attrSet(attribute, to(link));
}

/** Vite takes a picture from its place in the repository. */
function pictureOf(link, source, id) {
  if (isExternal(link)) return link;
  const file = posix.join(posix.dirname(source), link);
  return posix.relative(posix.join("docs", posix.dirname(id)), file);
}
