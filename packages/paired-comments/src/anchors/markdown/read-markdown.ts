import { blockIds, parseTree, type SyntaxNode, tables, tasks } from "@idewire/core/markdown";
import type { UnitTree } from "../units/unit.ts";
import { type OpenUnit, UnitBuilder } from "../units/unit-builder.ts";

const mostUnits = 50_000;
const longestName = 120;

/** Unit types by Markdown block. */
const units: Readonly<Record<string, string>> = {
  ListItem: "list_item",
  Blockquote: "block_quote",
  Paragraph: "paragraph",
  Task: "paragraph",
  LinkReference: "link_reference_definition",
  FencedCode: "fenced_code_block",
  HTMLBlock: "html_block",
  CommentBlock: "html_block",
  ProcessingInstructionBlock: "html_block",
};

const containers: ReadonlySet<string> = new Set([
  "BulletList",
  "OrderedList",
  "ListItem",
  "Blockquote",
]);

/**
 * Cuts Markdown into units: nested sections, paragraphs, items, quotes, code, rows. A block with an Obsidian
 * block id, `^id`, has it as its name.
 */
export function readMarkdownUnits(source: string): UnitTree {
  return new MarkdownReader(source).read();
}

class MarkdownReader {
  readonly #builder: UnitBuilder;
  readonly #source: string;
  /** The open sections, the innermost last. */
  readonly #sections: { readonly unit: OpenUnit; readonly level: number }[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#builder = new UnitBuilder(source, "markdown");
  }

  read(): UnitTree {
    for (const node of childrenOf(parseTree(this.#source, [tables, tasks, blockIds]).topNode)) {
      const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1];
      if (level !== undefined) this.#heading(node, Number(level));
      else if (node.name === "FrontMatter") this.#text(this.#builder.root, node);
      else this.#block(node, this.#section());
    }
    return this.#builder.finish();
  }

  /** Text before the first heading forms its own section. */
  #section(): OpenUnit {
    const open = this.#sections.at(-1);
    if (open !== undefined) return open.unit;
    const unit = this.#open("section", this.#builder.root);
    this.#sections.push({ unit, level: 0 });
    return unit;
  }

  #heading(node: SyntaxNode, level: number): void {
    while ((this.#sections.at(-1)?.level ?? -1) >= level || this.#sections.at(-1)?.level === 0) {
      this.#sections.pop();
    }
    const unit = this.#open("section", this.#sections.at(-1)?.unit ?? this.#builder.root);
    const underline = node.name.startsWith("Setext") ? node.lastChild : null;
    const title = this.#source.slice(node.from, underline?.from ?? node.to);
    unit.name = title.normalize().replace(/\s+/g, " ").trim().slice(0, longestName);
    this.#sections.push({ unit, level });
    this.#builder.addWords(unit, node.from, node.to);
  }

  #block(node: SyntaxNode, owner: OpenUnit): void {
    const type = units[node.name];
    const unit = type === undefined ? owner : this.#open(type, owner);
    const { name } = node;
    if (type === "paragraph") this.#paragraph(node, unit);
    else if (name === "LinkReference") this.#builder.addWords(unit, node.from, node.to);
    else if (name === "FencedCode") this.#fence(node, unit);
    else if (name === "Table") this.#table(node, unit);
    else if (containers.has(name)) this.#blocks(node, unit);
    else this.#text(unit, node);
  }

  /** Reads the content of a list, an item or a quote; only the first mark of a quote counts. */
  #blocks(node: SyntaxNode, unit: OpenUnit): void {
    for (const child of childrenOf(node)) {
      const isMark = child.name === "ListMark" || child.name === "QuoteMark";
      if (!isMark) this.#block(child, unit);
      else if (child.prevSibling === null) this.#builder.add(unit, child.from, child.to);
    }
  }

  #paragraph({ from, to, firstChild, lastChild }: SyntaxNode, unit: OpenUnit): void {
    const isTask = firstChild?.name === "TaskMarker";
    const start = isTask ? firstChild.to : from;
    if (isTask) this.#builder.add(unit.parent ?? unit, from, start);
    this.#builder.addWords(unit, start, to);
    if (lastChild?.name === "BlockId") unit.name = this.#sourceOf(lastChild);
  }

  #fence(node: SyntaxNode, unit: OpenUnit): void {
    const lines = node.getChildren("CodeText");
    const [first, last] = [lines[0], lines.at(-1)];
    for (const child of childrenOf(node)) {
      if (child.name === "CodeMark") this.#builder.add(unit, child.from, child.to);
      else if (child.name === "CodeInfo") this.#builder.addWords(unit, child.from, child.to);
      else if (child.from === first?.from && last !== undefined) {
        this.#builder.addString(unit, first.from, last.to);
      }
    }
  }

  #table(node: SyntaxNode, owner: OpenUnit): void {
    for (const child of childrenOf(node)) {
      const isRow = child.name === "TableRow";
      const unit = isRow ? this.#open("pipe_table_row", owner) : owner;
      if (child.name === "TableDelimiter") this.#text(unit, child);
      else for (const cell of childrenOf(child)) this.#text(unit, cell);
    }
  }

  /** Adds a node word by word. */
  #text(unit: OpenUnit, { from, to }: SyntaxNode): void {
    this.#builder.addString(unit, from, to);
  }

  #sourceOf({ from, to }: SyntaxNode): string {
    return this.#source.slice(from, to);
  }

  #open(type: string, owner: OpenUnit): OpenUnit {
    return this.#builder.count >= mostUnits ? owner : this.#builder.open(type, owner);
  }
}

function* childrenOf(node: SyntaxNode): Iterable<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) yield child;
}
