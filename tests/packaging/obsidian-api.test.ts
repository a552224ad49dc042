import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../packages/obsidian-plugin/", import.meta.url));

/** The part of the compiler's API that is used here. */
interface Node {
  readonly kind: number;
  readonly parent?: { readonly name?: { readonly text?: string } };
  getSourceFile(): { readonly fileName: string };
}
interface Sign {
  readonly flags: number;
  readonly name: string;
  readonly declarations?: readonly Node[];
}
interface Checker {
  getSymbolAtLocation(node: Node): Sign | undefined;
  getAliasedSymbol(symbol: Sign): Sign;
}
interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number>>;
  readonly SymbolFlags: { readonly Alias: number };
  createProgram(
    files: readonly string[],
    options: object,
  ): {
    getTypeChecker(): Checker;
    getSourceFile(name: string): Node | undefined;
  };
  forEachChild(node: Node, visit: (child: Node) => void): void;
  getJSDocTags(node: Node): readonly { tagName: { text: string }; comment?: unknown }[];
}

const ts = createRequire(join(folder, "package.json"))("typescript") as Compiler;

function sources(): string[] {
  const names = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /(?<!\.test|\.d)\.ts$/.test(name) && !name.startsWith("testing"))
    .map((name) => join(folder, "src", name));
}

/** The app's API that the plugin uses, each with the version that introduced it. */
function usedApi(): Map<string, string> {
  const files = sources();
  const program = ts.createProgram(files, {
    target: 9,
    module: 199,
    moduleResolution: 100,
    allowImportingTsExtensions: true,
    customConditions: ["@idewire/source"],
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const used = new Map<string, string>();
  const note = (node: Node) => {
    const found = checker.getSymbolAtLocation(node);
    const isAlias = found !== undefined && (found.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? checker.getAliasedSymbol(found) : found;
    for (const declaration of symbol?.declarations ?? []) {
      if (isGiven.test(declaration.parent?.name?.text ?? "")) continue;
      if (!declaration.getSourceFile().fileName.endsWith("/obsidian.d.ts")) continue;
      const since = ts.getJSDocTags(declaration).find(({ tagName }) => tagName.text === "since");
      if (typeof since?.comment === "string") used.set(symbol?.name ?? "", since.comment.trim());
    }
  };
  const visit = (node: Node) => {
    if (node.kind === ts.SyntaxKind["Identifier"]) note(node);
    // Types do not exist at run time.
    const isType = [ts.SyntaxKind["TypeReference"], ts.SyntaxKind["ImportDeclaration"]];
    if (!isType.includes(node.kind)) ts.forEachChild(node, visit);
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source !== undefined) visit(source);
  }
  return used;
}

/** Values that the plugin creates and the app reads: the app need not provide them. */
const isGiven = /^Setting(Definition|\w*Control$)/;

const isNewer = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true }) > 0;

test("every API of the app in use exists in the oldest supported version, or is tested for first", () => {
  const { minAppVersion } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const used = usedApi();
  const newer = [...used].filter(([, since]) => isNewer(since, minAppVersion));
  expect(newer.map(([name]) => name).sort()).toEqual([
    // Used only after a check of the version.
    "registerCliHandler",
    "update",
  ]);
  // The minimum is as low as possible: something that is used without a check came with this version.
  expect([...used.values()]).toContain(minAppVersion);
  expect(used.size).toBeGreaterThan(30);
});
