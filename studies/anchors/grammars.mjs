// `web-tree-sitter` for all mutants: a grammar takes megabytes, and each mutant has a loader of its own.
import { createRequire } from "node:module";

const anchors = new URL("../../packages/paired-comments/package.json", import.meta.url);
const treeSitter = createRequire(anchors)("web-tree-sitter");
const loaded = new Map();

export const { Parser } = treeSitter;
export const Language = {
  load(bytes) {
    const known = loaded.get(bytes) ?? treeSitter.Language.load(bytes);
    loaded.set(bytes, known);
    return known;
  },
};
