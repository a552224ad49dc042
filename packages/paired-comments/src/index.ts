// Anchors
export type { Anchor } from "./anchors/store/anchor.ts";
export { makeAnchor } from "./anchors/store/make-anchor.ts";
export { type Outline, outlineOf } from "./anchors/store/outline.ts";
export type { Resolution } from "./anchors/resolve/resolve.ts";
export { resolveAnchors } from "./anchors/resolve/resolve.ts";
export {
  createSourceReader,
  type ReadGrammar,
  type SourceReader,
} from "./anchors/syntax/parsers.ts";
export { createTextReader } from "./anchors/markdown/text-reader.ts";

// The file format
export type { CommentsDocument, PairedComment } from "./format/document.ts";
export type { ReadResult } from "./format/read-document.ts";
export { readDocument } from "./format/read-document.ts";
export { writeDocument, type WriteOptions } from "./format/write-document.ts";

// The comments of a workspace
export { CommentStore, type CommentStoreOptions } from "./store/comment-store.ts";
export type { LocatedComment, LocatedFile } from "./store/located-comments.ts";
export { createMemoryWorkspace } from "./store/memory-workspace.ts";
export type { CommentWorkspace } from "./store/workspace.ts";

// Merging and importing
export { readExport } from "./import/read-export.ts";
export type { MergedDocument } from "./merge/merge-documents.ts";
export { mergeDocuments } from "./merge/merge-documents.ts";

// Comments in a frontend
export { FrontendComments } from "./frontend/frontend-comments.ts";

// Search and export
export { type CommentQuery, type FoundComment, searchComments } from "./search/search.ts";
export { parseSearch } from "./search/parse-search.ts";
export type { CommentExport, ExportOptions } from "./export/export-comments.ts";
export { exportComments } from "./export/export-comments.ts";

// Comments among an editor's diagnostics
export { CommentDiagnostics } from "./diagnostics/comment-diagnostics.ts";

// The MCP server
export type { CommentServer, CommentServerOptions } from "./mcp/comment-server.ts";
export { createCommentServer } from "./mcp/comment-server.ts";
