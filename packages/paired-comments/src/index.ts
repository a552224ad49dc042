// Anchors
export type { Anchor, Point, Quote, Surroundings } from "./anchors/store/anchor.ts";
export { type LineRange, makeAnchor, quoteOf, scopeNames } from "./anchors/store/make-anchor.ts";
export { type Outline, outlineOf } from "./anchors/store/outline.ts";
export type { Candidate } from "./anchors/resolve/candidates.ts";
export type { AnchoredLines, AnchorStatus, Resolution } from "./anchors/resolve/resolve.ts";
export { resolveAnchors } from "./anchors/resolve/resolve.ts";
export { grammarNames, type Language, languageOf } from "./anchors/syntax/languages.ts";
export type { FunctionComplexity } from "./anchors/syntax/function-complexity.ts";
export {
  createSourceReader,
  type ReadGrammar,
  type SourceReader,
} from "./anchors/syntax/parsers.ts";
export { createTextReader } from "./anchors/markdown/text-reader.ts";
export type { Token } from "./anchors/units/token.ts";
export type { Unit, UnitShape, UnitTree } from "./anchors/units/unit.ts";

// The file format
export type {
  AiMetadata,
  CommentReply,
  CommentsDocument,
  CommentStatus,
  CommentTag,
  GhostMarker,
  PairedComment,
  UnknownFields,
} from "./format/document.ts";
export { commentsSuffix, commentTags, formatVersion, isCommentTag } from "./format/document.ts";
export { commentIds, type IdSequence, isCommentId, markerIds } from "./format/ids.ts";
export type { Damage, Dialect, ReadResult } from "./format/read-document.ts";
export { readDocument } from "./format/read-document.ts";
export { tagOfText } from "./format/read-comment.ts";
export { writeDocument, type WriteOptions } from "./format/write-document.ts";

// The comments of a workspace
export {
  CommentError,
  CommentErrorCode,
  type CommentErrorData,
  type CommentErrorName,
} from "./errors.ts";
export type { ChangedCode, EarlierFile } from "./store/changed-code.ts";
export { CommentStore, type CommentStoreOptions } from "./store/comment-store.ts";
export type { CommentedFiles } from "./store/comment-list.ts";
export type {
  ContainedAnchor,
  NewComment,
  PlacedComment,
  UnreadableFile,
} from "./store/comment-requests.ts";
export type { DisplacedComment } from "./store/displaced-comments.ts";
export type {
  AnchorName,
  KeptLine,
  ListedComment,
  ListedFile,
  LocatedComment,
  LocatedFile,
} from "./store/located-comments.ts";
export { isOrphan } from "./store/located-comments.ts";
export { createMemoryWorkspace, type MemoryWorkspace } from "./store/memory-workspace.ts";
export type { CommentWorkspace, LockedFiles } from "./store/workspace.ts";

// Merging and importing
export { type ImportedFile, type ImportedFiles, readExport } from "./import/read-export.ts";
export type { MergedDocument, MergeRequest, MovedByBoth } from "./merge/merge-documents.ts";
export { mergeDocuments } from "./merge/merge-documents.ts";
export type { ConflictSides } from "./merge/split-conflict.ts";

// What a person sees of comments, and does with them
export type {
  CommentAct,
  CommentActResult,
  FoundComments,
  ShownFile,
} from "./frontend/frontend-comments.ts";
export { explainCommentError, FrontendComments } from "./frontend/frontend-comments.ts";
export type { ShownComment } from "./frontend/shown-comment.ts";

// Search and export
export { type CommentQuery, type FoundComment, searchComments } from "./search/search.ts";
export { parseSearch, type TypedSearch } from "./search/parse-search.ts";
export type { CommentExport, ExportFormat, ExportOptions } from "./export/export-comments.ts";
export { exportComments, exportFormats } from "./export/export-comments.ts";

// What agents are told of comments
export { CommentRemarks } from "./remarks/comment-remarks.ts";
export { type ReadComments, withSelectionComments } from "./remarks/selection-comments.ts";

// The MCP server
export type { CommentServer, CommentServerOptions } from "./mcp/comment-server.ts";
export { createCommentServer } from "./mcp/comment-server.ts";
export { describeError, type ErrorStyle } from "./mcp/comment-tool.ts";
