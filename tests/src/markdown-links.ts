import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage", "results"]);

/** Every Markdown file below a folder, but for what is built or installed. */
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

/** What is wrong with the links of a page, in words; external ones are looked at for form only. */
export function findBrokenLinks(page: string, root: string): readonly string[] {
  const text = withoutCode(readFileSync(page, "utf8"));
  return targetsOf(text).flatMap((target) => {
    const fault = faultOf(target, page);
    return fault === undefined ? [] : [`${relative(root, page)}: ${target} ${fault}`];
  });
}

/** How many links a page has. */
export function countLinks(page: string): number {
  return targetsOf(withoutCode(readFileSync(page, "utf8"))).length;
}

function withoutCode(text: string): string {
  return text.replaceAll(/^(```+|~~~+).*?^\1/gms, "").replaceAll(/`+[^`\n]*`+/g, "code");
}

function targetsOf(text: string): readonly string[] {
  const inline = text.matchAll(/\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const definitions = text.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^>\s]+)>?/gm);
  const html = text.matchAll(/\b(?:href|src)="([^"]*)"/g);
  return [...inline, ...definitions, ...html].map(([, target = ""]) => target);
}

function faultOf(target: string, page: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return faultOfUrl(target);
  const [path = "", anchor] = target.split("#", 2);
  const file = path === "" ? page : join(dirname(page), decodeURI(path));
  if (!existsSync(file)) return "leads to no file";
  if (anchor === undefined || anchor === "") return undefined;
  const readable = statSync(file).isDirectory() ? join(file, "README.md") : file;
  if (!existsSync(readable)) return "names a place in a folder without README.md";
  return anchorsOf(readFileSync(readable, "utf8")).has(anchor)
    ? undefined
    : "names a heading that is not there";
}

function faultOfUrl(target: string): string | undefined {
  if (!URL.canParse(target)) return "is no URL";
  const { protocol, hostname } = new URL(target);
  if (protocol === "mailto:") return undefined;
  if (protocol !== "https:") return `is ${protocol} and not https:`;
  return hostname.includes(".") ? undefined : "has no public host";
}

/** The names that GitHub gives to headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const headings = text.replaceAll(/^(```+|~~~+).*?^\1/gms, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  for (const [, heading = ""] of headings) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
    let unique = name;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${name}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
