import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";

const folder = fileURLToPath(new URL("../../packages/obsidian-plugin/", import.meta.url));
const src = join(folder, "src");

/** The part of the compiler's API that is used here. */
interface Node {
  readonly kind: number;
  readonly parent: Node;
  readonly text?: string;
  readonly name?: Node;
  readonly expression?: Node;
  getText(): string;
}
interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  createSourceFile(name: string, text: string, target: number, parents: boolean): Node;
  forEachChild(node: Node, visit: (child: Node) => void): void;
}

const ts = createRequire(join(folder, "package.json"))("typescript") as Compiler;
const { SyntaxKind: kinds } = ts;

/** Calls and properties that show a text to the person. */
const shownBy =
  /^(setText|setTitle|setName|setDesc|setTooltip|setPlaceholder|setButtonText|setHeading|appendText|addOption|createFragment)$/;
const shownAs = /^(text|desc|heading|placeholder|emptyState|tooltip|label|"aria-label"|name)$/;
/** These texts are for agents, whose language is English. */
const forAgents = /(ToolFailure|IdewireError|Error|description|refused|describe|textResult)$/;

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return ["texts", "testing"].includes(entry.name) ? [] : sources(path);
    return /(?<!\.test)\.ts$/.test(entry.name) ? [path] : [];
  });
}

function isLiteral({ kind }: Node): boolean {
  return [kinds["StringLiteral"], kinds["NoSubstitutionTemplateLiteral"]].includes(kind);
}

/** Whether a call or a property around a literal shows it to the person. */
function isShown(literal: Node): boolean {
  const { parent } = literal;
  if (parent.kind === kinds["NewExpression"]) return parent.expression?.getText() === "Notice";
  if (parent.kind === kinds["CallExpression"]) {
    return shownBy.test(parent.expression?.getText().split(".").at(-1) ?? "");
  }
  if (parent.kind === kinds["PropertyAssignment"])
    return shownAs.test(parent.name?.getText() ?? "");
  return (
    parent.kind === kinds["BinaryExpression"] && /textContent|ariaLabel/.test(parent.getText())
  );
}

function isForAgents(literal: Node): boolean {
  for (let node = literal.parent; node !== undefined; node = node.parent) {
    const isCall = [kinds["NewExpression"], kinds["CallExpression"]].includes(node.kind);
    if (isCall && forAgents.test(node.expression?.getText() ?? "")) return true;
    if (node.kind === kinds["PropertyAssignment"] && forAgents.test(node.name?.getText() ?? "")) {
      return true;
    }
  }
  return false;
}

/** Texts that a person may see, or that read as sentences, each with its file. */
function textsOf(path: string): { readonly shown: string[]; readonly sentences: string[] } {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), 99, true);
  const shown: string[] = [];
  const sentences: string[] = [];
  const look = (node: Node): void => {
    if (isLiteral(node) && /\p{L}{2}/u.test(node.text ?? "") && !isForAgents(node)) {
      const found = `${relative(src, path)}: ${node.text}`;
      if (isShown(node)) shown.push(found);
      if (/^\p{Lu}\p{L}+ \p{L}+/u.test(node.text ?? "")) sentences.push(found);
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return { shown, sentences };
}

verifies(
  "plugin:8:texts",
  "every text that the person sees is in the folder of texts, ready for translation",
  () => {
    const found = sources(src).map(textsOf);
    expect(found.length).toBeGreaterThan(60);
    // Names of tools and attributes, and a sample path.
    const known = /: ([a-z]+([_-][a-z]+)+|Obsidian|~\/\.claude)$/;
    expect(found.flatMap(({ shown }) => shown).filter((each) => !known.test(each))).toEqual([]);
    // Names of agents, and titles and hints of tools, which are for agents.
    expect(found.flatMap(({ sentences }) => sentences).sort()).toEqual([
      "vault-tools/describe-note.ts: Describe a note",
      "vault-tools/index.ts: Obsidian vault",
      "vault-tools/rename-note.ts: Rename or move a note",
      "vault-tools/search-vault.ts: Search the vault",
      "vault-tools/search-vault.ts: There are more matches: narrow the search with a folder, a tag or a longer query",
      "vault-tools/set-properties.ts: Change properties of a note",
    ]);
  },
);
