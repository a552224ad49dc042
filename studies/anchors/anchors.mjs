// The part of `@idewire/paired-comments` in a mutant: bundling all of it would take seven times as long.
export { resolveAnchors } from "../../packages/paired-comments/src/anchors/resolve/resolve.ts";
export { makeAnchor } from "../../packages/paired-comments/src/anchors/store/make-anchor.ts";
export { outlineOf } from "../../packages/paired-comments/src/anchors/store/outline.ts";
export { createSourceReader } from "../../packages/paired-comments/src/anchors/syntax/parsers.ts";
