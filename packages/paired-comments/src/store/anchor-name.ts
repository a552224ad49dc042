import type { Unit, UnitTree } from "../anchors/units/unit.ts";
import type { ContainedAnchor } from "./comment-requests.ts";

const kinds: readonly (readonly [RegExp, string])[] = [
  [/interface|trait|protocol/, "interface"],
  [/class|struct|impl/, "class"],
  [/method|constructor/, "method"],
  [/function|def$/, "function"],
  [/type_alias|type_spec/, "type"],
  [/enum/, "enum"],
  [/section/, "section"],
  [/paragraph|pipe_table_row/, "block"],
  [/pair|property|field/, "property"],
  [/import/, "import"],
];

/** The innermost declaration around a line (1-based), named for people. */
export function anchorNameAt(tree: UnitTree, line: number): ContainedAnchor | undefined {
  const innermost = declarationsOf(tree)[line];
  if (innermost?.name === undefined) return undefined;
  return { name: innermost.name, type: kindOf(innermost), container: containerOf(innermost) };
}

const declarations = new WeakMap<UnitTree, readonly (Unit | undefined)[]>();

/** The innermost declaration by line; cached, since it is read once per comment. */
function declarationsOf(tree: UnitTree): readonly (Unit | undefined)[] {
  const known = declarations.get(tree);
  if (known !== undefined) return known;
  const byLine: (Unit | undefined)[] = [];
  for (const unit of tree.units) {
    if (unit.name === undefined || unit.first === undefined || unit.last === undefined) continue;
    for (let line = unit.first.line + 1; line <= unit.last.endLine + 1; line++) {
      const isNearer = unit.children.length > 0 || isBlock(unit);
      if (isNearer || byLine[line] === undefined) byLine[line] = unit;
    }
  }
  declarations.set(tree, byLine);
  return byLine;
}

/** Is it a block of a note with an id, such as `^id`? */
function isBlock({ name }: Unit): boolean {
  return name?.startsWith("^") === true;
}

function containerOf(unit: Unit): string | undefined {
  let around = unit.parent;
  while (around !== undefined && around.name === undefined) around = around.parent;
  return around?.name;
}

function kindOf(unit: Unit): string {
  const found = kinds.find(([pattern]) => pattern.test(unit.type));
  if (found !== undefined) return isMethod(unit) ? "method" : found[1];
  const isFunction = unit.tokens.some(({ text }) => text === "=>" || text === "function");
  return isFunction ? "function" : "variable";
}

/** Languages whose grammars use function node types for methods, too. */
function isMethod({ type, parent }: Unit): boolean {
  return /function/.test(type) && parent !== undefined && /class|impl/.test(parent.type);
}
