import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ReadGrammar } from "./anchors/syntax/parsers.ts";

// Where the build puts them: this file is one level below the package's folder, built or not.
const folder = new URL("../dist/grammars/", import.meta.url);

/** Reads the grammars that the package ships, and the parser's own WebAssembly. */
export const readGrammarFile: ReadGrammar = (fileName) =>
  readFile(fileURLToPath(new URL(fileName, folder.href).href));
