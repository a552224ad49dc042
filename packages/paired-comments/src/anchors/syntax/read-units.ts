import type { TreeCursor } from "web-tree-sitter";
import { ownText } from "../units/token.ts";
import { docstring, type UnitTree } from "../units/unit.ts";
import { type OpenUnit, UnitBuilder } from "../units/unit-builder.ts";
import type { Language } from "./languages.ts";
import { MaskedWords } from "./masked-words.ts";
import type { Syntax } from "./syntax.ts";
import { syntaxOf } from "./syntaxes.ts";

/** Units created for a file; further code belongs to the last of them. */
const mostUnits = 50_000;
const longestName = 120;
const headFields: ReadonlySet<string> = new Set(["name", "condition"]);

interface Owner {
  readonly unit: OpenUnit;
  readonly type: string;
  /** Is it beside the head of its unit? */
  readonly isBesideHead: boolean;
}

/** A source to read, with a cursor at the root of its syntax tree. */
export interface ParsedSource {
  readonly source: string;
  /** The text that was parsed: the source, but for what the grammar cannot parse. */
  readonly text: string;
  readonly cursor: TreeCursor;
  readonly language: Language;
}

/** Cuts a source into units along its syntax tree. */
export function readUnits(parsed: ParsedSource): UnitTree {
  return new UnitReader(parsed).read();
}

class UnitReader {
  readonly #builder: UnitBuilder;
  readonly #source: string;
  readonly #cursor: TreeCursor;
  readonly #syntax: Syntax;
  readonly #masked: MaskedWords;
  /** Unit and type of each open node. */
  readonly #owners: Owner[] = [];

  constructor({ source, text, cursor, language }: ParsedSource) {
    this.#builder = new UnitBuilder(source, language.id);
    this.#source = source;
    this.#cursor = cursor;
    this.#syntax = syntaxOf(language);
    this.#masked = new MaskedWords(source, text);
    this.#owners.push({ unit: this.#builder.root, type: cursor.nodeType, isBesideHead: false });
  }

  read(): UnitTree {
    const cursor = this.#cursor;
    if (cursor.gotoFirstChild()) this.#readSiblings();
    this.#addMacros(this.#builder.root, this.#source.length);
    return this.#builder.finish();
  }

  #readSiblings(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (this.#enter()) continue;
      while (!cursor.gotoNextSibling()) {
        if (this.#owners.length === 1) return;
        const closed = this.#owners.pop()?.unit;
        cursor.gotoParent();
        if (closed !== undefined) this.#close(closed);
      }
    }
  }

  #close(unit: OpenUnit): void {
    nameDefaultExport(unit);
    const isDescription = this.#syntax.hasDocstrings && isStringAlone(unit) && isFirstOfCode(unit);
    if (isDescription) unit.type = docstring;
    const [first, second] = unit.tokens;
    const isCall = unit.name === undefined && second !== undefined;
    if (isCall && this.#syntax.importers.has(first?.text ?? "")) unit.type = "import";
  }

  /** Reads the node at the cursor; returns whether the cursor has moved to its first child. */
  #enter(): boolean {
    const cursor = this.#cursor;
    const { unit, type: parentType } = this.#owner();
    const type = cursor.nodeType;
    const { startIndex: start, endIndex: end } = cursor;
    if (!this.#syntax.wrappers.has(unit.type)) this.#addMacros(unit, start);
    if (isCommentType(type)) {
      this.#builder.addWords(this.#builder.open("comment", unit), start, end);
      return false;
    }
    this.#takeName(unit, type, parentType);
    const isReExported = parentType === "export_statement" && cursor.currentFieldName === "source";
    if (isReExported) unit.type = "import";
    const inner = this.#unitOf(type, parentType, unit);
    const isBesideHead = this.#isBesideHead(type, inner);
    this.#builder.isBesideHead = isBesideHead;
    if (this.#isLeaf(type)) {
      if (end > start) this.#addLeaf(inner, type, start, end);
      return false;
    }
    if (cursor.gotoFirstChild()) {
      this.#owners.push({ unit: inner, type, isBesideHead });
      return true;
    }
    if (end > start) this.#addLeaf(inner, type, start, end);
    return false;
  }

  #owner(): Owner {
    return this.#owners.at(-1) ?? { unit: this.#builder.root, type: "", isBesideHead: false };
  }

  /** Is the node at the cursor beside the head of its unit, or inside one that is? */
  #isBesideHead(type: string, inner: OpenUnit): boolean {
    if (this.#syntax.besideHead.has(type)) return true;
    const { unit, isBesideHead } = this.#owner();
    return inner === unit && (isBesideHead || this.#cursor.currentFieldName === "alternative");
  }

  #isLeaf(type: string): boolean {
    if (this.#syntax.leaves.has(type)) return true;
    return type === "template_string" && !this.#textOfNode().includes("${");
  }

  #textOfNode(): string {
    return this.#source.slice(this.#cursor.startIndex, this.#cursor.endIndex);
  }

  #addLeaf(unit: OpenUnit, type: string, start: number, end: number): void {
    const isInString = isTextOfString(type);
    const text = this.#source.slice(start, end);
    // Blanks within a line are text of a string; Go's grammar has line ends as tokens.
    if (!/\S/.test(text) && (!isInString || /[\r\n]/.test(text))) return;
    for (const masked of this.#masked.until(start)) {
      this.#builder.addWords(unit, masked.start, masked.end);
    }
    if (type === "jsx_text") this.#builder.addWords(unit, start, end);
    else if (type === "regex") this.#builder.add(unit, start, end, { isInString: true });
    else {
      const { rawQuote } = this.#syntax;
      this.#builder.addString(unit, start, end, { isInString, rawQuote });
    }
  }

  /** Masked text alone on its lines is a unit beside the next one; other is a part of that. */
  #addMacros(parent: OpenUnit, end: number): void {
    for (const { start, end: last } of this.#masked.linesUntil(end)) {
      this.#builder.addWords(this.#builder.open("macro", parent), start, last);
    }
  }

  /** The unit of this node's tokens: a new one if the syntax defines the node as a unit. */
  #unitOf(type: string, parentType: string, unit: OpenUnit): OpenUnit {
    if (this.#builder.count >= mostUnits) return unit;
    const isUnit = this.#syntax.isUnit(type) || this.#isInBlock(parentType);
    if (!isUnit) return unit;
    if (!this.#isAbsorbed(unit, parentType)) return this.#builder.open(type, unit);
    unit.type = type;
    return unit;
  }

  #isInBlock(parentType: string): boolean {
    if (!this.#syntax.blocks.has(parentType) || !this.#cursor.nodeIsNamed) return false;
    // The condition of `#if` is not a statement.
    return this.#cursor.currentFieldName === null || !headFields.has(this.#cursor.currentFieldName);
  }

  /** `export const run = …` is one unit: the wrapper takes the name of the wrapped declaration. */
  #isAbsorbed(unit: OpenUnit, parentType: string): boolean {
    if (parentType !== unit.type || !this.#syntax.wrappers.has(parentType)) return false;
    if (unit.name !== undefined || unit.tokens.at(-1)?.text === "(") return false;
    return unit.children.every(({ type }) => type === "comment");
  }

  /** Names the unit if the cursor is at its name. */
  #takeName(unit: OpenUnit, type: string, parentType: string): void {
    // The name of a variable is the innermost part of its declarator: `a` of `*a[2] = {}`.
    if (unit.name !== undefined || isDeclarator(type)) return;
    const field = this.#cursor.currentFieldName;
    if (isDeclarator(parentType) && this.#syntax.nameFields.get(unit.type) === "declarator") {
      const isName = field === "declarator" || (field === null && type.endsWith("identifier"));
      if (isName) unit.name = this.#nameText();
      return;
    }
    if (field === null) {
      if (isNameByType(parentType, type)) unit.name = this.#nameText();
      return;
    }
    if (field !== (this.#syntax.nameFields.get(parentType) ?? "name")) return;
    const owns = parentType === unit.type || this.#syntax.wrappers.has(unit.type);
    const { isUnit, nameFields } = this.#syntax;
    if (!owns || !(isUnit(parentType) || nameFields.has(parentType))) return;
    const text = this.#nameText();
    if (text !== "") unit.name = accessorOf(unit, text);
  }

  #nameText(): string {
    const text = this.#textOfNode().split("(")[0] ?? "";
    const plain = text
      .normalize()
      .replace(/\s+/g, " ")
      // Normalises a pattern such as `{ a, b }`, which is also a name.
      .replace(/ ?([{}[\],:]) ?/g, "$1")
      .replace(/,(?=[}\]])/g, "")
      .replace(/^["'`]|["'`]$/g, "")
      .trim();
    return ownText(plain.slice(0, longestName));
  }
}

/** Gives `export default` the same name as `module.exports =`. */
function nameDefaultExport(unit: OpenUnit): void {
  const isDefault = unit.type === "export_statement" && unit.tokens[1]?.text === "default";
  if (isDefault) unit.name ??= "module.exports";
}

/** Is it a statement with only a string? The quotes are tokens without text. */
function isStringAlone({ type, tokens, children }: OpenUnit): boolean {
  if (type !== "expression_statement" || children.length > 0) return false;
  return tokens.length > 2 && tokens[0]?.text === "" && tokens.at(-1)?.text === "";
}

function isFirstOfCode(unit: OpenUnit): boolean {
  return unit.parent?.children.find(({ type }) => type !== "comment") === unit;
}

/** Distinguishes `get size` from `set size`. */
function accessorOf(unit: OpenUnit, name: string): string {
  const keyword = unit.tokens.find(({ text }) => text === "get" || text === "set");
  return keyword === undefined ? name : `${keyword.text} ${name}`;
}

function isDeclarator(type: string): boolean {
  return type.endsWith("_declarator");
}

/** Names that the grammar does not expose as a field. */
function isNameByType(parentType: string, type: string): boolean {
  if (parentType === "jsx_attribute") return type === "property_identifier";
  if (parentType === "variable_declarator") return type === "identifier";
  if (parentType === "rule_set") return type === "selectors";
  if (parentType === "declaration") return type === "property_name";
  if (/^(?:declaration|unset)_command$/.test(parentType)) return type === "variable_name";
  return false;
}

function isCommentType(type: string): boolean {
  return type === "comment" || type.endsWith("_comment") || type === "html_comment";
}

/** Is it the text of a string, beside what is inserted there? */
function isTextOfString(type: string): boolean {
  return /(?:^|_)string_(?:text|content|fragment)$/.test(type);
}
