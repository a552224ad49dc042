import ts from "typescript-5.9";

/** A declaration or a statement, as the TypeScript compiler parses it: the oracle for anchors. */
export interface Fact {
  readonly kind: string;
  readonly isDeclaration: boolean;
  /** Names of the enclosing declarations, and its own. */
  readonly path: string;
  readonly name: string;
  /** 1-based lines of its first and last character. */
  readonly line: number;
  readonly endLine: number;
  /** Whether only spaces precede it on its line. */
  readonly isFirstOnLine: boolean;
  readonly start: number;
  readonly end: number;
  /** Its tokens, separated by spaces. */
  readonly text: string;
  /** The tokens of a declaration's body. */
  readonly body: string;
  /** Index of the statement before and after it in the same block. */
  before: number;
  after: number;
  /** Whether it is directly in the file. */
  readonly isTopLevel: boolean;
}

/** All declarations and statements, in source order. */
export function factsOf(path: string, source: string): readonly Fact[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  return new FactReader(file).read();
}

class FactReader {
  readonly #file: ts.SourceFile;
  readonly #facts: Fact[] = [];

  constructor(file: ts.SourceFile) {
    this.#file = file;
  }

  read(): readonly Fact[] {
    this.#children(this.#file, []);
    return this.#facts;
  }

  #children(node: ts.Node, path: readonly string[]): void {
    if (hasStatements(node)) {
      this.#statements(node.statements, path);
      return;
    }
    ts.forEachChild(node, (child) => this.#visit(child, path));
  }

  #statements(statements: readonly ts.Statement[], path: readonly string[]): void {
    const indexes = statements.map((statement) => {
      const index = this.#facts.length;
      this.#visit(statement, path);
      return index;
    });
    for (const [place, index] of indexes.entries()) {
      const fact = this.#facts[index];
      if (fact === undefined) continue;
      fact.before = indexes[place - 1] ?? -1;
      fact.after = indexes[place + 1] ?? -1;
    }
  }

  #visit(node: ts.Node, path: readonly string[]): void {
    const name = nameOf(node);
    const inner = name === undefined ? path : [...path, name];
    if (name !== undefined || isStatement(node)) this.#add(node, inner, name);
    this.#children(node, inner);
  }

  #add(node: ts.Node, path: readonly string[], name: string | undefined): void {
    const start = node.getStart(this.#file);
    const end = node.getEnd();
    const line = this.#lineAt(start);
    const lineStart = this.#file.getPositionOfLineAndCharacter(line - 1, 0);
    this.#facts.push({
      kind: ts.SyntaxKind[node.kind] ?? "",
      isDeclaration: name !== undefined,
      path: path.join(" > "),
      name: name ?? "",
      line,
      endLine: this.#lineAt(end),
      isFirstOnLine: this.#file.text.slice(lineStart, start).trim() === "",
      start,
      end,
      text: tokensOf(node, this.#file),
      body: bodyOf(node, this.#file),
      before: -1,
      after: -1,
      isTopLevel: node.parent === this.#file,
    });
  }

  #lineAt(position: number): number {
    return this.#file.getLineAndCharacterOfPosition(position).line + 1;
  }
}

function hasStatements(node: ts.Node): node is ts.Block | ts.SourceFile {
  return ts.isSourceFile(node) || ts.isBlock(node) || ts.isModuleBlock(node);
}

function isStatement(node: ts.Node): boolean {
  const { kind } = node;
  if (kind === ts.SyntaxKind.Block || kind === ts.SyntaxKind.EmptyStatement) return false;
  return kind >= ts.SyntaxKind.FirstStatement && kind <= ts.SyntaxKind.LastStatement
    ? true
    : ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isExportAssignment(node);
}

/** The name that a declaration gives its scope; undefined for anything else. */
function nameOf(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node)) {
    const [first, second] = node.declarationList.declarations;
    return second === undefined && first !== undefined && ts.isIdentifier(first.name)
      ? first.name.text
      : undefined;
  }
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isClassElement(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  if (!named || node.name === undefined) return undefined;
  const accessor = ts.isGetAccessor(node) ? "get " : ts.isSetAccessor(node) ? "set " : "";
  return accessor + node.name.getText();
}

function tokensOf(node: ts.Node, file: ts.SourceFile): string {
  const tokens: string[] = [];
  const visit = (inner: ts.Node): void => {
    if (inner.kind >= ts.SyntaxKind.FirstJSDocNode && inner.kind <= ts.SyntaxKind.LastJSDocNode) {
      return;
    }
    const children = inner.getChildren(file);
    if (children.length > 0) children.forEach(visit);
    else if (inner.getWidth(file) > 0) tokens.push(inner.getText(file));
  };
  visit(node);
  return tokens.join(" ");
}

function bodyOf(node: ts.Node, file: ts.SourceFile): string {
  if (ts.isVariableStatement(node)) {
    const value = node.declarationList.declarations[0]?.initializer;
    return value === undefined ? "" : bodyOf(value, file) || tokensOf(value, file);
  }
  if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
    return tokensOf(node.body as ts.Node, file);
  }
  if (ts.isClassLike(node)) return node.members.map((member) => tokensOf(member, file)).join(" ");
  return "";
}
