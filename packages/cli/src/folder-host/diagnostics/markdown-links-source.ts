import { type Diagnostic, isInside, type PosixPath, parsePosixPath } from "@idewire/core";
import { relativeTo, TextLines } from "@idewire/core/internal";
import type { MarkdownDocument, MarkdownTarget } from "@idewire/core/markdown";
import { platform } from "@idewire/node-server/internal";
import { isSamePath, joinPath, parentOf } from "@idewire/node-server/internal/files";
import type { DiagnosticSource, FileLookup } from "../diagnostic-source.ts";

/** More findings in a file have a common cause. */
const MAX_FINDINGS = 100;

/** The most different link targets of a file that are examined: each costs a disk access. */
const MAX_TARGETS = 1_000;

/** How much text of a linked file is searched for headings. */
const MAX_LINKED_LENGTH = 512 * 1024;

type LinkFinding = Pick<Diagnostic, "message" | "code">;

/** Finds links, images and definitions whose file or heading does not exist. */
export const markdownLinksSource: DiagnosticSource = {
  name: "markdown-links",
  maxLength: 256 * 1024,
  accepts: isMarkdown,
  async check(path, text, files) {
    const document = await parse(text);
    const lines = new TextLines(text);
    const diagnostics: Diagnostic[] = [];
    const anchorsOf = rememberAnchors(path, document, files);
    let isOfProject: Promise<boolean> | undefined;
    const context: LinkContext = {
      ...{ path, files, anchorsOf },
      hasProjectTargets() {
        isOfProject ??= isInProject(path, files);
        return isOfProject;
      },
    };
    const findings = new Map<string, LinkFinding | undefined>();
    for (const target of document.targets) {
      if (diagnostics.length >= MAX_FINDINGS || findings.size >= MAX_TARGETS) break;
      if (!findings.has(target.url)) {
        findings.set(target.url, await checkTarget(target, context));
      }
      const finding = findings.get(target.url);
      if (finding === undefined) continue;
      const range = lines.rangeOf(target.start, target.end);
      diagnostics.push({ range, severity: "warning", ...finding });
    }
    return diagnostics;
  },
};

/** Loads the parser with the first Markdown file. */
async function parse(text: string): Promise<MarkdownDocument> {
  const { parseMarkdown } = await import("@idewire/core/markdown");
  return parseMarkdown(text);
}

/** The possible targets of a `#fragment`. */
type Anchors = ReadonlySet<string>;

interface LinkContext {
  readonly path: PosixPath;
  readonly files: FileLookup;
  readonly anchorsOf: (path: PosixPath) => Promise<Anchors | undefined>;
  /** Whether `#fragment` may be a target in any file of a project. */
  readonly hasProjectTargets: () => Promise<boolean>;
}

async function checkTarget(
  { url }: MarkdownTarget,
  context: LinkContext,
): Promise<LinkFinding | undefined> {
  const { path, files, anchorsOf } = context;
  if (url === "" || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url) || isPlaceholder(url)) return undefined;
  const [, rawPath = "", rawFragment = ""] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(url) ?? [];
  const target = rawPath === "" ? path : await findFile(decode(rawPath), path, files);
  if (target === undefined) {
    if (mayBeRoute(rawPath)) return undefined;
    const message = `The file ${JSON.stringify(decode(rawPath))} does not exist`;
    return { message, code: "missing-file" };
  }
  const fragment = decode(rawFragment);
  if (!isMarkdown(target) || !namesHeading(fragment)) return undefined;
  const anchors = await anchorsOf(target);
  if (anchors === undefined || hasAnchor(anchors, fragment)) return undefined;
  if (rawPath === "" && (await context.hasProjectTargets())) return undefined;
  const where = target === path ? "this file" : relativeTo(files.folder, target);
  const message = `There is no heading ${JSON.stringify(`#${fragment}`)} in ${where}`;
  return { message, code: "missing-heading" };
}

/** The files beside which Sphinx, MyST, Jupyter Book and bookdown find the pages of a project. */
const PROJECT_FILES = ["conf.py", "myst.yml", "_toc.yml", "_bookdown.yml"];

/** Whether a page belongs to a project whose targets are those of all its pages and of its extensions. */
async function isInProject(path: PosixPath, files: FileLookup): Promise<boolean> {
  for (let folder = parentOf(path); isInside(files.folder, folder, platform); ) {
    for (const name of PROJECT_FILES) if (await files.exists(joinPath(folder, name))) return true;
    if (isSamePath(folder, files.folder)) return false;
    folder = parentOf(folder);
  }
  return false;
}

/** Whether a program or a person replaces parts of it first: it has characters that no address has (RFC 3986). */
function isPlaceholder(url: string): boolean {
  return /[{}<>]|\$[({A-Za-z_]|%(?![\da-f]{2})/i.test(url);
}

/** The file or folder at this path; else the page whose route it is in a website generator. */
async function findFile(
  target: string,
  from: PosixPath,
  files: FileLookup,
): Promise<PosixPath | undefined> {
  const route = target.replace(/(?<!\/)\/+$|(?:\/index)?\.html?$/i, "");
  const pages = ["md", "mdx", "markdown"].flatMap((suffix) => {
    return ["", "/index", "/README", "/_index"].map((page) => `${route}${page}.${suffix}`);
  });
  // A folder has no headings, but its page may.
  const candidates = target.endsWith("/") ? [...pages, target] : [target, ...pages];
  const isRoute = mayBeRoute(target);
  for (const each of isRoute ? candidates : [target, target.replace(POSITION, "")]) {
    const found = await findExact(each, from, files);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A line of a source, and a column or a last line, as editors take it: `a.ts:12:3`. */
const POSITION = /:\d{1,9}(?:[:-]\d{1,9})?$/;

/**
 * Whether a path may be an address of a website, whose root and routes only its generator knows: it has
 * a leading slash, an alias, or no suffix but that of HTML, or is a page of the repository on its website.
 */
function mayBeRoute(path: string): boolean {
  return (
    /^[/@~]/.test(path) ||
    /(^|\/)(\.*|[^./]+|[^/]*\.html?)\/?$/i.test(path) ||
    /^(?:\.\.\/)+(?:-\/)?(?:blob|raw|tree|edit|blame|commits?)\//.test(path)
  );
}

/** A path with a leading slash starts at the workspace folder, as on GitHub. */
async function findExact(
  target: string,
  from: PosixPath,
  files: FileLookup,
): Promise<PosixPath | undefined> {
  const isRooted = target.startsWith("/");
  const base = isRooted ? files.folder : parentOf(from);
  const found = parsePosixPath(joinPath(base, target));
  if (found.ok && (await files.exists(found.value))) return found.value;
  const absolute = isRooted ? parsePosixPath(target) : undefined;
  if (!absolute?.ok || !isInside(files.folder, absolute.value, platform)) return undefined;
  return (await files.exists(absolute.value)) ? absolute.value : undefined;
}

/**
 * Not an empty fragment, a block of Obsidian, a text fragment, a line of a source, a slide, a place of GitHub's page or
 * a footnote.
 */
function namesHeading(fragment: string): boolean {
  return (
    fragment !== "" &&
    !/^(\^|:~:|(top|readme|start-of-content|\d+)$|L\d+|(user-content-)?fn(ref)?[-:_]?\w+$)/i.test(
      fragment,
    )
  );
}

/** A slug of GitHub or another site, an id, or the heading's text as in Obsidian. */
function hasAnchor(anchors: Anchors, fragment: string): boolean {
  const words = fragment
    .slice(fragment.lastIndexOf("#") + 1)
    .replace(/^(user-content|markdown-header)-/, "");
  return anchors.has(fragment) || anchors.has(bareAnchor(words));
}

/** An anchor without the parts on which sites disagree: punctuation, diacritics, leading numbers. */
function bareAnchor(anchor: string): string {
  const letters = anchor.normalize("NFKD").replace(/[^\p{L}\p{N}]/gu, "");
  return letters.toLowerCase().replace(/^\d+(?=\D)/, "");
}

/** Parses each linked file once; undefined for one that cannot be read, or is too large. */
function rememberAnchors(
  path: PosixPath,
  document: MarkdownDocument,
  files: FileLookup,
): LinkContext["anchorsOf"] {
  const known = new Map<PosixPath, Anchors | undefined>();
  let room = MAX_LINKED_LENGTH;
  return async (target) => {
    if (target === path && !known.has(path)) known.set(path, await toAnchors(document));
    if (!known.has(target)) {
      const text = await files.read(target).catch(() => undefined);
      room -= text?.length ?? 0;
      const isUnknown = text === undefined || room < 0;
      known.set(target, isUnknown ? undefined : await toAnchors(await parse(text)));
    }
    return known.get(target);
  };
}

const OWN_ID = /\{:?\s*(?:\/\*\s*)?[#.][^{}]*\}\s*$/;

/** The slug of a repeated heading has a number; the markup that sets an id is not part of its text. */
async function toAnchors({ headings, ids }: MarkdownDocument): Promise<Anchors> {
  const { default: GithubSlugger } = await import("github-slugger");
  const slugger = new GithubSlugger();
  const slugs = headings.flatMap((heading) => {
    const slug = slugger.slug(heading.replace(OWN_ID, "").trimEnd());
    return [slug, bareAnchor(slug)];
  });
  return new Set([...ids, ...slugs]);
}

function isMarkdown(path: PosixPath): boolean {
  return /\.(md|markdown)$/i.test(path);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
