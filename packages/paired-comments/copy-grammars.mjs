// Puts the WebAssembly of the parser and of each language's grammar into dist, one file a language.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { grammarNames } from "./dist/internal.js";

const { resolve } = createRequire(import.meta.url);
const grammars = join(dirname(resolve("@cursorless/tree-sitter-wasms/package.json")), "out");
const target = new URL("dist/grammars/", import.meta.url).pathname;
mkdirSync(target, { recursive: true });
copyFileSync(resolve("web-tree-sitter/web-tree-sitter.wasm"), join(target, "web-tree-sitter.wasm"));
for (const name of grammarNames) {
  const file = `tree-sitter-${name}.wasm`;
  copyFileSync(join(grammars, file), join(target, file));
}
