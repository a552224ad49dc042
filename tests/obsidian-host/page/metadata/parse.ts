import type { SyntaxNode } from "@lezer/common";
import type {
  CachedMetadata,
  EmbedCache,
  FootnoteRefCache,
  FrontmatterLinkCache,
  HeadingCache,
  LinkCache,
  ListItemCache,
  SectionCache,
  TagCache,
} from "obsidian";
import { NoteTree } from "./tree.ts";
import { parseYaml } from "./yaml.ts";

const blockId = /(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$/;
const footnote = /^\[\^([^\]\s]+)\]:/;

/** Section types are mdast's block names; these are the parser's names that differ. */
const sectionTypes: Readonly<Record<string, string>> = {
  BulletList: "list",
  OrderedList: "list",
  FencedCode: "code",
  CodeBlock: "code",
  HorizontalRule: "thematicBreak",
  HTMLBlock: "html",
  CommentBlock: "html",
  ProcessingInstructionBlock: "html",
  LinkReference: "definition",
};

/** Everything that Obsidian derives from the text of a note alone. */
export function parseNote(text: string): CachedMetadata {
  const note = new NoteTree(text);
  const sections = withBlockIds(note, sectionsIn(note));
  const lists = note.blocks.filter(({ name }) => /List$/.test(name));
  const listItems = lists.flatMap((list) => itemsOf(note, list));
  const found = {
    ...inlineOf(note),
    headings: note.blocks.filter(isHeading).map((node) => toHeading(note, node)),
    footnotes: sections.flatMap(({ position }) => {
      const id = footnote.exec(text.slice(position.start.offset))?.[1];
      return id === undefined ? [] : [{ id, position }];
    }),
    sections,
    listItems,
  };
  const withIds = [...sections, ...listItems].filter(({ id }) => id !== undefined);
  return {
    ...Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0)),
    ...(withIds.length > 0 && {
      blocks: Object.fromEntries(
        withIds.map(({ id = "", position }) => [id.toLowerCase(), { id, position }]),
      ),
    }),
    ...frontmatterOf(note),
  };
}

/** The blocks of a note, as Obsidian's metadata cache lists them. */
export function sectionsOf(text: string): SectionCache[] {
  return sectionsIn(new NoteTree(text));
}

function sectionsIn(note: NoteTree): SectionCache[] {
  const sections = note.blocks.map((node) => ({
    type: sectionType(note, node),
    position: note.positionOf(node),
  }));
  if (note.frontmatterEnd === 0) return sections;
  return [
    { type: "yaml", position: note.positionOf({ from: 0, to: note.frontmatterEnd }) },
    ...sections,
  ];
}

function sectionType(note: NoteTree, node: SyntaxNode): string {
  const source = note.sourceOf(node);
  if (footnote.test(source)) return "footnoteDefinition";
  if (/^>[ \t]*\[![^\]]+\]/.test(source)) return "callout";
  return isHeading(node) ? "heading" : (sectionTypes[node.name] ?? node.name.toLowerCase());
}

function isHeading({ name }: SyntaxNode): boolean {
  return /^(ATX|Setext)Heading/.test(name);
}

/** A block id ends its block; alone on a line, it belongs to the block above. */
function withBlockIds(note: NoteTree, sections: readonly SectionCache[]): SectionCache[] {
  for (const [index, { type, position }] of sections.entries()) {
    if (["code", "yaml", "list", "html"].includes(type)) continue;
    const source = note.text.slice(position.start.offset, position.end.offset);
    const id = blockId.exec(source)?.[1];
    const owner = sections[source === `^${id}` ? index - 1 : index];
    if (id !== undefined && owner !== undefined) owner.id = id;
  }
  return [...sections];
}

function toHeading(note: NoteTree, node: SyntaxNode): HeadingCache {
  const [first, last = first] = node.getChildren("HeaderMark");
  const isUnderlined = node.name.startsWith("Setext");
  const from = isUnderlined ? node.from : (first?.to ?? node.from);
  const to = isUnderlined || last !== first ? (last?.from ?? node.to) : node.to;
  return {
    heading: note.sourceOf({ from, to }).replace(blockId, "").trim(),
    level: Number(node.name.at(-1)),
    position: note.positionOf(node),
  };
}

/** The items of a list and of its nested lists, each without the nested lists. */
function itemsOf(note: NoteTree, list: SyntaxNode, above?: ListItemCache): ListItemCache[] {
  const parent = above?.position.start.line ?? -Math.max(note.positionOf(list).start.line, 1);
  return list.getChildren("ListItem").flatMap((node) => {
    const inner = [...node.getChildren("BulletList"), ...node.getChildren("OrderedList")];
    const to = Math.min(node.to, ...inner.map((each) => each.prevSibling?.to ?? node.to));
    const source = note.sourceOf({ from: node.from, to });
    const item: ListItemCache = { parent, position: note.positionOf({ from: node.from, to }) };
    const task = /^\S+[ \t]+\[(.)\][ \t]/.exec(source)?.[1];
    if (task !== undefined) item.task = task;
    const id = blockId.exec(source)?.[1];
    if (id !== undefined) item.id = id;
    return [item, ...inner.flatMap((each) => itemsOf(note, each, item))];
  });
}

/** The links, embeds, tags and footnote references of a note. */
function inlineOf(note: NoteTree) {
  const links: LinkCache[] = [];
  const embeds: EmbedCache[] = [];
  const tags: TagCache[] = [];
  const footnoteRefs: FootnoteRefCache[] = [];
  note.tree.iterate({
    enter(node) {
      if (!["WikiLink", "Tag", "Link", "Image"].includes(node.name)) return;
      const [original, position] = [note.sourceOf(node), note.positionOf(node)];
      const id = /^\[\^([^\]\s]+)\]$/.exec(original)?.[1];
      const reference = node.name === "WikiLink" ? wikiLink(original) : markdownLink(original);
      if (node.name === "Tag") tags.push({ tag: original, position });
      else if (id !== undefined) {
        if (note.text[node.to] !== ":") footnoteRefs.push({ id, position });
      } else if (reference !== undefined) {
        const list = original.startsWith("!") ? embeds : links;
        list.push({ ...reference, original, position });
      }
    },
  });
  return { links, embeds, tags, footnoteRefs };
}

interface Target {
  readonly link: string;
  readonly displayText: string;
}

function wikiLink(original: string): Target {
  const [, target = "", alias] = /^!?\[\[([^|]+?)(?:\\?\|(.*))?\]\]$/.exec(original) ?? [];
  const link = target.trim();
  return { link, displayText: alias ?? link.replaceAll("#", " > ") };
}

function markdownLink(original: string): Target | undefined {
  const [, displayText = "", inAngles, plain = ""] =
    /^!?\[(.*)\]\((?:<([^>]*)>|(\S*?))(?:[ \t]+"[^"]*")?\)$/s.exec(original) ?? [];
  const target = inAngles ?? plain;
  // A target with a scheme is outside the vault.
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target === "") return undefined;
  try {
    return { link: decodeURIComponent(target), displayText };
  } catch {
    return { link: target, displayText };
  }
}

function frontmatterOf(note: NoteTree): Partial<CachedMetadata> {
  const to = note.frontmatterEnd;
  if (to === 0) return {};
  const frontmatterPosition = note.positionOf({ from: 0, to });
  try {
    const value: unknown = parseYaml(note.text.slice(0, to).split("\n").slice(1, -1).join("\n"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return { frontmatterPosition };
    }
    const frontmatterLinks = linksIn(value, "");
    return {
      frontmatterPosition,
      frontmatter: value as Record<string, unknown>,
      ...(frontmatterLinks.length > 0 && { frontmatterLinks }),
    };
  } catch {
    // Obsidian stores no frontmatter if its YAML does not parse.
    return { frontmatterPosition };
  }
}

function linksIn(value: unknown, key: string): FrontmatterLinkCache[] {
  if (typeof value === "string") {
    return /^\[\[[^[\]]+\]\]$/.test(value.trim())
      ? [{ key, original: value, ...wikiLink(value.trim()) }]
      : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    linksIn(each, key === "" ? name : `${key}.${name}`),
  );
}
