// What a mutant contains of `@idewire/paired-comments`: all of it would take seven times as long to bundle.
export { resolveAnchors } from "../../packages/paired-comments/src/anchors/resolve/resolve.ts";
export { makeAnchor } from "../../packages/paired-comments/src/anchors/store/make-anchor.ts";
export { outlineOf } from "../../packages/paired-comments/src/anchors/store/outline.ts";
export { createSourceReader } from "../../packages/paired-comments/src/anchors/syntax/parsers.ts";
