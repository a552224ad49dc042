import type {
  BlockSubpathResult,
  CachedMetadata,
  HeadingSubpathResult,
  ReferenceCache,
} from "obsidian";

export function parseLinktext(linktext: string): { path: string; subpath: string } {
  const plain = linktext.replaceAll("\u00a0", " ").normalize("NFC");
  const hash = plain.indexOf("#");
  if (hash < 0) return { path: plain, subpath: "" };
  return { path: plain.slice(0, hash), subpath: plain.slice(hash) };
}

export function getLinkpath(linktext: string): string {
  return parseLinktext(linktext).path;
}

/** A heading as links compare it: without marks, and without punctuation that links cannot contain. */
export function stripHeading(heading: string): string {
  return heading
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

type Result = HeadingSubpathResult | BlockSubpathResult;

export function resolveSubpath(cache: CachedMetadata, subpath: string): Result | null {
  const parts = subpath.split("#").filter((part) => part !== "");
  const [only = ""] = parts;
  if (parts.length === 1 && only.startsWith("^"))
    return resolveBlock(cache, only.slice(1).toLowerCase());
  return parts.length === 0 ? null : resolveHeading(cache, parts);
}

function resolveBlock(cache: CachedMetadata, id: string): BlockSubpathResult | null {
  const block = cache.blocks?.[id];
  if (block === undefined) return null;
  const list = cache.listItems?.find((item) => item.id?.toLowerCase() === id);
  const { start, end } = block.position;
  return { type: "block", block, start, end, ...(list && { list }) };
}

function resolveHeading(
  cache: CachedMetadata,
  parts: readonly string[],
): HeadingSubpathResult | null {
  const headings = cache.headings ?? [];
  const wanted = parts.map((part) => stripHeading(part).toLowerCase());
  let [depth, level, at] = [0, 0, 0];
  for (const [index, { heading, level: own }] of headings.entries()) {
    if (depth > 0 && own <= level) depth = 0;
    if (stripHeading(heading).toLowerCase() !== wanted[depth]) continue;
    depth += 1;
    level = own;
    at = index;
    if (depth === wanted.length) break;
  }
  const current = headings[at];
  if (depth < wanted.length || current === undefined) return null;
  const next = headings.slice(at + 1).find((heading) => heading.level <= current.level);
  const bounds = { start: current.position.start, end: next?.position.start ?? null };
  return { type: "heading", current, next: next as never, ...bounds };
}

export function iterateCacheRefs(
  cache: CachedMetadata,
  emit: (ref: ReferenceCache) => unknown,
): boolean {
  return [...(cache.links ?? []), ...(cache.embeds ?? [])].some((ref) => emit(ref) === true);
}

export function getAllTags(cache: CachedMetadata): string[] | null {
  const inText = (cache.tags ?? []).map(({ tag }) => tag);
  return [...(parseFrontMatterTags(cache.frontmatter) ?? []), ...inText];
}

type Frontmatter = Readonly<Record<string, unknown>> | null | undefined;

export function parseFrontMatterEntry(frontmatter: Frontmatter, key: string | RegExp): unknown {
  const names = Object.keys(frontmatter ?? {});
  const name = names.find((each) => (typeof key === "string" ? each === key : key.test(each)));
  return name === undefined ? null : (frontmatter?.[name] ?? null);
}

export function parseFrontMatterStringArray(
  frontmatter: Frontmatter,
  key: string | RegExp,
): string[] | null {
  const value = parseFrontMatterEntry(frontmatter, key);
  if (value === null) return null;
  const list = Array.isArray(value) ? value : String(value).split(/,\s*/);
  return list.map((each) => String(each).trim()).filter((each) => each !== "");
}

export function parseFrontMatterTags(frontmatter: Frontmatter): string[] | null {
  const tags = parseFrontMatterStringArray(frontmatter, /^tags?$/i);
  const words = tags?.flatMap((tag) => tag.split(/\s+/)) ?? null;
  return words?.map((tag) => (tag.startsWith("#") ? tag : `#${tag}`)) ?? null;
}
