import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseMarkdown, parseTree, tables, targetOf } from "@idewire/core/markdown";
import GithubSlugger from "github-slugger";

const SKIPPED: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  "coverage",
  "results",
  "generated",
]);

/** All Markdown files below a folder, except built and installed ones. */
export function markdownFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith(".") && entry.name !== ".changeset";
      return isHidden || SKIPPED.has(entry.name) ? [] : markdownFiles(path);
    }
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** The faults of a page's links as messages; only the form of external links is checked. */
export function findBrokenLinks(page: string, root: string): readonly string[] {
  return targetsOf(page).flatMap((target) => {
    const fault = faultOf(target, page);
    return fault === undefined ? [] : [`${relative(root, page)}: ${target} ${fault}`];
  });
}

/** The number of links of a page. */
export function countLinks(page: string): number {
  return targetsOf(page).length;
}

/** The targets of a page's links, including those in HTML. */
function targetsOf(page: string): readonly string[] {
  const text = readFileSync(page, "utf8");
  const targets: string[] = [];
  parseTree(text, tables).iterate({
    enter(node) {
      const isLink = /^(?:Link|Image|LinkReference)$/.test(node.name);
      const target = isLink ? targetOf(node.node, text) : undefined;
      if (target !== undefined) targets.push(target.url);
      if (!node.name.startsWith("HTML")) return;
      const html = text.slice(node.from, node.to).matchAll(/\b(?:href|src)="([^"]*)"/g);
      targets.push(...[...html].map(([, url = ""]) => url));
    },
  });
  return targets;
}

function faultOf(target: string, page: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return faultOfUrl(target);
  const [path = "", anchor] = target.split("#", 2);
  const file = path === "" ? page : join(dirname(page), decodeURI(path));
  if (!existsSync(file)) return "is not a file";
  if (anchor === undefined || anchor === "") return undefined;
  const readable = statSync(file).isDirectory() ? join(file, "README.md") : file;
  if (!existsSync(readable)) return "names a place in a folder without README.md";
  return anchorsOf(readFileSync(readable, "utf8")).has(anchor)
    ? undefined
    : "names a missing heading";
}

function faultOfUrl(target: string): string | undefined {
  if (!URL.canParse(target)) return "is not a URL";
  const { protocol, hostname } = new URL(target);
  if (protocol === "mailto:") return undefined;
  if (protocol !== "https:") return `is ${protocol} instead of https:`;
  return hostname.includes(".") ? undefined : "has no public host";
}

/** GitHub's anchors of headings, and ids in HTML. */
function anchorsOf(text: string): ReadonlySet<string> {
  const { headings, ids } = parseMarkdown(text);
  const slugger = new GithubSlugger();
  return new Set([...ids, ...headings.map((words) => slugger.slug(words))]);
}
