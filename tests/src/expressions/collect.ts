import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { parseAst } from "rollup/parseAst";

const packages = join(import.meta.dirname, "../../../packages");

/** A regular expression in shipped code. */
export interface Expression {
  readonly pattern: string;
  readonly flags: string;
  /** Every `file:line` of the expression. */
  readonly places: string[];
}

/** The distinct regular expressions of all packages, and the files that create some at run time. */
export interface Collection {
  readonly expressions: readonly Expression[];
  readonly builders: readonly string[];
}

/** Reads the sources of all packages, without their tests. */
export function collectExpressions(): Collection {
  const expressions = new Map<string, Expression>();
  const builders = new Set<string>();
  for (const file of sourceFiles()) {
    const source = readFileSync(join(packages, file), "utf8");
    const loader = file.endsWith("x") ? "tsx" : "ts";
    const { code } = transformSync(source, { loader, jsx: "automatic" });
    visit(parseAst(code), (node) => {
      if (isConstructor(node)) builders.add(file);
      const found = literalOf(node) ?? rawTextOf(node);
      if (found === undefined) return;
      const key = `/${found.pattern}/${found.flags}`;
      const known = expressions.get(key) ?? { ...found, places: [] };
      known.places.push(`${file}:${lineOf(source, found.pattern)}`);
      expressions.set(key, known);
    });
  }
  return { expressions: [...expressions.values()], builders: [...builders].sort() };
}

function sourceFiles(): string[] {
  return readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, "src"), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test|\.test-d|\.d)\.tsx?$/.test(file))
      .map((file) => join(name, "src", file)),
  );
}

type Node = Readonly<Record<string, unknown>>;
type RawTag = Readonly<{ property?: Readonly<{ name?: string }> }>;
type Found = Pick<Expression, "pattern" | "flags">;

function visit(node: unknown, onNode: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  onNode(node as Node);
  for (const child of Object.values(node)) visit(child, onNode);
}

function literalOf({ type, regex }: Node): Found | undefined {
  return type === "Literal" ? (regex as Found | undefined) : undefined;
}

/** Problem matchers contain their expressions as text, as String.raw`…`. */
function rawTextOf({ type, tag, quasi }: Node): Found | undefined {
  if (type !== "TaggedTemplateExpression" || (tag as RawTag).property?.name !== "raw") {
    return undefined;
  }
  const { quasis } = quasi as { quasis: readonly { value: { raw: string } }[] };
  const [only, ...others] = quasis;
  return only === undefined || others.length > 0
    ? undefined
    : { pattern: only.value.raw, flags: "" };
}

function isConstructor({ type, callee }: Node): boolean {
  if (type !== "NewExpression" && type !== "CallExpression") return false;
  return (callee as Node)["name"] === "RegExp";
}

function lineOf(source: string, pattern: string): number {
  return source.slice(0, source.indexOf(pattern)).split("\n").length;
}
