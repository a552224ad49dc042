// Which file of the repository is which page of the site.
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { packages, repository } from "../../scripts/repository.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const docs = fileURLToPath(new URL("..", import.meta.url));

/** The folder of generated pages: copies of READMEs, and the output of TypeDoc. */
export const GENERATED = "generated/";

/** Pages of the site that the repository has outside `docs`, each with its place on the site. */
export const elsewhere = {
  "packages/obsidian-plugin/README.md": "start/obsidian.md",
  "packages/web-playground/README.md": "guide/playground.md",
  "editors/neovim/README.md": "guide/neovim.md",
  "editors/emacs/README.md": "guide/emacs.md",
  "examples/any-editor/README.md": "recipes/any-editor.md",
  "examples/scenarios/README.md": "recipes/scenarios.md",
  "SECURITY.md": "reference/security.md",
  "CONTRIBUTING.md": "reference/contributing.md",
  ...Object.fromEntries(
    packages.map((name) => [`packages/${name}/README.md`, `api/${name}/index.md`]),
  ),
};

/**
 * The file of the repository that a page shows.
 * @param {string} id the page's file, from `docs`
 */
export function sourceOf(id) {
  const copied = Object.keys(elsewhere).find((file) => id === `${GENERATED}${file}`);
  return copied ?? `docs/${id}`;
}

/**
 * The place of a page on the site, as a file.
 * @param {string} id the page's file, from `docs`
 */
export function placeOf(id) {
  const copied = elsewhere[id.slice(GENERATED.length)];
  if (id.startsWith(GENERATED) && copied !== undefined) return copied;
  const own = id.startsWith(GENERATED) ? id.slice(GENERATED.length) : id;
  return own.replace(/(^|\/)(README|entries)\.md$/, "$1index.md");
}

/** Whether a link is none to another file of the repository. */
export function isExternal(link) {
  return /^([a-z][a-z\d+.-]*:|#|\/)/i.test(link);
}

/**
 * The address of a link: a page of the site, or else the file in the repository.
 * @param {string} link as its author wrote it
 * @param {string} source the file of the repository that has it
 */
export function addressOf(link, source) {
  if (isExternal(link)) return link;
  const [path = "", place] = link.split("#", 2);
  const file = posix.normalize(posix.join(posix.dirname(source), decodeURI(path)));
  const page = pageOfFile(file.replace(/\/$/, ""));
  const address =
    page ?? `https://github.com/${repository.owner}/${repository.name}/blob/main/${file}`;
  return place === undefined ? address : `${address}#${place}`;
}

function pageOfFile(file) {
  const readme = `${file}/README.md`;
  if (
    elsewhere[readme] !== undefined ||
    existsSync(join(root, "docs", readme.slice("docs/".length)))
  )
    return pageOfFile(readme);
  if (elsewhere[file] !== undefined) return toAddress(elsewhere[file]);
  if (!file.startsWith("docs/") || !file.endsWith(".md")) return undefined;
  return toAddress(placeOf(file.slice("docs/".length)));
}

/** The address of a page by its place on the site. */
export function toAddress(place) {
  return `/${place.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html")}`;
}

/**
 * The title of a page of the repository.
 * @param {string} file from the root
 */
export function titleOf(file) {
  const [, title = ""] = /^# (.*)$/m.exec(readFileSync(join(root, file), "utf8")) ?? [];
  return title.replaceAll("`", "");
}

/** The dialects, in the order of their table, each with its page and the sections of that. */
export function dialects() {
  const folder = "docs/reference/protocol";
  const table = readFileSync(join(root, folder, "README.md"), "utf8");
  return [...table.matchAll(/^\| \[([^\]]*)\]\(([\w-]+)\.md\) \|/gm)].map(([, text, name]) => {
    const page = readFileSync(join(root, folder, `${name}.md`), "utf8");
    const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    return { text, page: `reference/protocol/${name}`, sections };
  });
}
