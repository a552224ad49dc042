import type {
  CachedMetadata,
  FootnoteCache,
  FrontmatterLinkCache,
  HeadingCache,
  ListItemCache,
  SectionCache,
} from "obsidian";
import { type Inline, scanInline } from "./inline.ts";
import { Lines } from "./lines.ts";
import { sectionsOf } from "./sections.ts";
import { parseYaml } from "./yaml.ts";

const blockId = /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/;

/** Everything that Obsidian knows of a note from its text alone. */
export function parseNote(text: string): CachedMetadata {
  const lines = new Lines(text.replaceAll("\r\n", "\n"));
  const sections = withBlockIds(lines, sectionsOf(lines));
  const inline: Inline = { links: [], embeds: [], tags: [], footnoteRefs: [] };
  for (const { type, position } of sections) {
    if (["code", "yaml", "comment", "math", "html"].includes(type)) continue;
    scanInline(lines, position.start.offset, position.end.offset, inline);
  }
  const listItems = sections
    .filter(({ type }) => type === "list")
    .flatMap((list) => itemsOf(lines, list));
  const cache: CachedMetadata = {};
  const lists = {
    ...inline,
    headings: headingsOf(lines, sections),
    footnotes: footnotesOf(lines, sections),
    sections,
    listItems,
  };
  for (const [name, list] of Object.entries(lists))
    if (list.length > 0) Object.assign(cache, { [name]: list });
  const blocks = [...sections, ...listItems].filter(({ id }) => id !== undefined);
  if (blocks.length > 0) {
    cache.blocks = Object.fromEntries(
      blocks.map(({ id = "", position }) => [id.toLowerCase(), { id, position }]),
    );
  }
  addFrontmatter(cache, lines, sections[0]);
  return cache;
}

/** An id ends its block; alone on a line, it is that of the block above. */
function withBlockIds(lines: Lines, sections: SectionCache[]): SectionCache[] {
  const kept: SectionCache[] = [];
  for (const section of sections) {
    const { start, end } = section.position;
    if (["code", "yaml", "list", "math", "comment"].includes(section.type)) {
      kept.push(section);
      continue;
    }
    const id = blockId.exec(lines.lines[end.line] ?? "")?.[1];
    const above = kept.at(-1);
    const isAlone =
      id !== undefined && /^\^\S+[ \t]*$/.test(lines.text.slice(start.offset, end.offset));
    if (isAlone && above !== undefined) above.id = id;
    kept.push(id === undefined || isAlone ? section : { ...section, id });
  }
  return kept;
}

function headingsOf(lines: Lines, sections: readonly SectionCache[]): HeadingCache[] {
  return sections
    .filter(({ type }) => type === "heading")
    .map(({ position }) => {
      const line = lines.lines[position.start.line] ?? "";
      const marks = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(line);
      const plain =
        marks === null ? line : line.slice(marks[0].length).replace(/[ \t]+#+[ \t]*$/, "");
      const under = lines.lines[position.end.line] ?? "";
      const level = marks?.[1]?.length ?? (under.includes("=") ? 1 : 2);
      return { heading: plain.replace(blockId, "").trim(), level, position };
    });
}

function footnotesOf(lines: Lines, sections: readonly SectionCache[]): FootnoteCache[] {
  return sections
    .filter(({ type }) => type === "footnoteDefinition")
    .map(({ position }) => {
      const [, id = ""] = /^\[\^([^\]]+)\]:/.exec(lines.lines[position.start.line] ?? "") ?? [];
      return { id, position };
    });
}

function itemsOf(lines: Lines, list: SectionCache): ListItemCache[] {
  const items: ListItemCache[] = [];
  const open: { indent: number; line: number }[] = [];
  const { start, end } = list.position;
  for (let line = start.line; line <= end.line; line += 1) {
    const [marker, indentText = "", task] =
      /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(.)\][ \t])?/.exec(lines.lines[line] ?? "") ?? [];
    const last = items.at(-1);
    if (marker === undefined) {
      if (last !== undefined && (lines.lines[line] ?? "").trim() !== "") {
        last.position.end = lines.span(line, line).end;
      }
      continue;
    }
    const indent = indentText.replaceAll("\t", "    ").length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.line ?? -Math.max(start.line, 1);
    open.push({ indent, line });
    const item: ListItemCache = { parent, position: lines.span(line, line, indentText.length) };
    if (task !== undefined) item.task = task;
    items.push(item);
  }
  for (const item of items) {
    const id = blockId.exec(lines.lines[item.position.end.line] ?? "")?.[1];
    if (id !== undefined) item.id = id;
  }
  return items;
}

function addFrontmatter(
  cache: CachedMetadata,
  lines: Lines,
  first: SectionCache | undefined,
): void {
  if (first?.type !== "yaml") return;
  const { start, end } = first.position;
  const yaml = lines.lines.slice(start.line + 1, end.line).join("\n");
  cache.frontmatterPosition = first.position;
  try {
    const value: unknown = parseYaml(yaml);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    cache.frontmatter = value as Record<string, unknown>;
  } catch {
    // Obsidian keeps no frontmatter of a note whose YAML does not parse.
    return;
  }
  const found = frontmatterLinks(cache.frontmatter, "");
  if (found.length > 0) cache.frontmatterLinks = found;
}

function frontmatterLinks(value: unknown, key: string): FrontmatterLinkCache[] {
  if (typeof value === "string") {
    const [, link, displayText] = /^\[\[([^[\]|]+)(?:\|([^[\]]+))?\]\]$/.exec(value.trim()) ?? [];
    return link === undefined
      ? []
      : [{ key, link, original: value, displayText: displayText ?? link }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    frontmatterLinks(each, key === "" ? name : `${key}.${name}`),
  );
}
