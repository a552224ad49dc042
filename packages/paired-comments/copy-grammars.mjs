// Puts the WebAssembly of the parser and of each language's grammar into dist, one file a language,
// with the licences of the packages that they come from.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { grammarNames } from "./dist/internal.js";

const { resolve } = createRequire(import.meta.url);
const wasms = dirname(resolve("@cursorless/tree-sitter-wasms/package.json"));
const parser = dirname(resolve("web-tree-sitter/web-tree-sitter.wasm"));
const target = new URL("dist/grammars/", import.meta.url).pathname;
mkdirSync(target, { recursive: true });
copyFileSync(join(parser, "web-tree-sitter.wasm"), join(target, "web-tree-sitter.wasm"));
copyFileSync(join(parser, "LICENSE"), join(target, "LICENSE-web-tree-sitter.txt"));
copyFileSync(join(wasms, "LICENSE"), join(target, "LICENSE-tree-sitter-wasms.txt"));
for (const name of grammarNames) {
  const file = `tree-sitter-${name}.wasm`;
  copyFileSync(join(wasms, "out", file), join(target, file));
}
