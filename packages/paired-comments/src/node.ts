// What needs Node: files.
export { readGrammarFile } from "./grammar-files.ts";
