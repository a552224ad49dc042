import type { TreeCursor } from "web-tree-sitter";
import type { FunctionComplexity } from "./function-complexity.ts";

const functions: ReadonlySet<string> = new Set([
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "arrow_function",
  "method_definition",
  "function_definition",
  "function_item",
  "method_declaration",
  "constructor_declaration",
  "func_literal",
  "lambda",
  "method",
]);

/** Class code that runs on its own and does not count for an enclosing function. */
const ownPaths: ReadonlySet<string> = new Set([
  "field_definition",
  "public_field_definition",
  "class_static_block",
]);

/** Node types of branches, with display names. */
const branches: ReadonlyMap<string, string> = new Map([
  ["if_statement", "if"],
  ["elif_clause", "elif"],
  ["for_statement", "for"],
  ["for_in_statement", "for"],
  ["enhanced_for_statement", "for"],
  ["while_statement", "while"],
  ["do_statement", "do"],
  ["catch_clause", "catch"],
  ["except_clause", "except"],
  ["switch_case", "case"],
  ["expression_case", "case"],
  ["case_clause", "case"],
  ["match_arm", "match"],
  ["ternary_expression", "?:"],
  ["conditional_expression", "?:"],
  ["assignment_pattern", "default value"],
  ["object_assignment_pattern", "default value"],
  ["optional_chain", "?."],
  ["boolean_operator", "and/or"],
  ["if_clause", "if"],
  ["for_in_clause", "for"],
]);

const operators: ReadonlySet<string> = new Set(["&&", "||", "??", "&&=", "||=", "??=", "?."]);
const nameFields: ReadonlySet<string> = new Set(["name", "key", "property", "left", "declarator"]);

interface OpenNode {
  readonly type: string;
  readonly frame: Frame;
  name: string | undefined;
}

interface Frame {
  readonly line: number;
  readonly endLine: number;
  readonly name: string | (() => string | undefined);
  readonly counts: Map<string, number>;
  readonly isFunction: boolean;
}

/** All functions of a source, in source order; the cursor is at the root of the tree. */
export function functionsOf(source: string, cursor: TreeCursor): readonly FunctionComplexity[] {
  const frames: Frame[] = [];
  const outside = { line: 0, endLine: 0, name: "", counts: new Map(), isFunction: false };
  const open: OpenNode[] = [{ type: cursor.nodeType, frame: outside, name: undefined }];
  if (!cursor.gotoFirstChild()) return [];
  for (;;) {
    const parent = open.at(-1);
    if (parent === undefined) break;
    const node = enter(source, cursor, parent);
    if (node.frame !== parent.frame) frames.push(node.frame);
    if (cursor.gotoFirstChild()) {
      open.push(node);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      open.pop();
      if (!cursor.gotoParent() || open.length === 0) return frames.filter(isFunction).map(toFacts);
    }
  }
  return frames.filter(isFunction).map(toFacts);
}

function isFunction(frame: Frame): boolean {
  return frame.isFunction;
}

function enter(source: string, cursor: TreeCursor, parent: OpenNode): OpenNode {
  const type = cursor.nodeType;
  const field = cursor.currentFieldName;
  if (field !== null && nameFields.has(field)) {
    parent.name ??= source.slice(cursor.startIndex, cursor.endIndex).split("(")[0]?.trim();
  }
  count(type, field, parent);
  const isOwn = ownPaths.has(type);
  if (!isOwn && !functions.has(type)) return { type, frame: parent.frame, name: undefined };
  const node: OpenNode = {
    type,
    name: undefined,
    frame: {
      line: cursor.startPosition.row + 1,
      endLine: cursor.endPosition.row + 1,
      name: () => node.name ?? parent.name,
      counts: new Map(),
      isFunction: !isOwn,
    },
  };
  return node;
}

function count(type: string, field: string | null, { type: parentType, frame }: OpenNode): void {
  // Some grammars have a node for `?.`, others only the token.
  const isOperator = operators.has(type) && parentType !== "optional_chain";
  // TypeScript's grammar has parameter defaults as a field.
  const isDefault = field === "value" && /_parameter$/.test(parentType);
  const kind = isOperator ? type : isDefault ? "default value" : branches.get(type);
  if (kind !== undefined) frame.counts.set(kind, (frame.counts.get(kind) ?? 0) + 1);
}

function toFacts({ line, endLine, name, counts }: Frame): FunctionComplexity {
  const ownName = typeof name === "string" ? name : name();
  const branches = [...counts].sort((a, b) => b[1] - a[1]);
  const complexity = 1 + branches.reduce((sum, [, each]) => sum + each, 0);
  return { name: ownName ?? "anonymous", line, endLine, complexity, branches };
}
