import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ReadGrammar } from "./anchors/syntax/parsers.ts";

// The build's output folder; this file is one level below the package's folder in `src` and in `dist`.
const folder = new URL("../dist/grammars/", import.meta.url);

/** Reads the grammars that the package ships, and the WebAssembly of the parser. */
export const readGrammarFile: ReadGrammar = (fileName) =>
  readFile(fileURLToPath(new URL(fileName, folder.href).href));
