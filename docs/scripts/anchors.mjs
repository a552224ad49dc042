// VitePress checks that the page of a link exists; this checks the heading within it, and links to other files.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The links of a built site that lead nowhere, one a line.
 * @param {string} site its folder
 * @param {string} base the path below which it is served
 */
export function findDeadPlaces(site, base) {
  const pages = readdirSync(site, { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".html") && !file.startsWith("play/"));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), "utf8")]));
  const places = new Map([...texts].map(([page, text]) => [page, idsOf(text)]));
  const faultOf = (page, link) => {
    const { pathname, hash } = new URL(link, `https://site.invalid${base}${page}`);
    if (!pathname.startsWith(base)) return "is outside the site";
    const path = decodeURI(pathname.slice(base.length)).replace(/(^|\/)$/, "$1index.html");
    const ids = places.get(path) ?? places.get(`${path}.html`);
    if (ids === undefined) return existsSync(join(site, path)) ? undefined : "is no page";
    const id = decodeURIComponent(hash.slice(1));
    return id === "" || ids.has(id) ? undefined : "names a missing heading";
  };
  return [...texts].flatMap(([page, text]) =>
    linksOf(text).flatMap((link) => {
      const fault = faultOf(page, link);
      return fault === undefined ? [] : [`${page}: ${link} ${fault}`];
    }),
  );
}

function idsOf(text) {
  return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
}

/** The links within the site. */
function linksOf(text) {
  const all = [...text.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, link]) => link);
  return [...new Set(all)].filter((link) => !/^[a-z][a-z\d+.-]*:|^\/\//i.test(link));
}
