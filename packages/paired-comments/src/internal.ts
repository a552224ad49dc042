// For sibling packages: unversioned, not part of the public API.

export { grammarNames, languageOf } from "./anchors/syntax/languages.ts";
export type { Unit, UnitTree } from "./anchors/units/unit.ts";
export { withSelectionComments } from "./diagnostics/selection-comments.ts";
export { CommentError } from "./errors.ts";
export { exportFormats } from "./export/export-comments.ts";
export {
  type CommentStatus,
  type CommentTag,
  commentsSuffix,
  commentTags,
  isCommentTag,
} from "./format/document.ts";
export { tagOfText } from "./format/read-comment.ts";
export { type CommentedText, commentOnChange } from "./frontend/comment-on-change.ts";
export { explainCommentError } from "./frontend/frontend-comments.ts";
export { describeError } from "./mcp/comment-tool.ts";
export type { ConflictSides } from "./merge/split-conflict.ts";
export { globMatcher } from "./search/glob.ts";
export type { EarlierFile } from "./store/changed-code.ts";
export type { UnreadableFile } from "./store/comment-requests.ts";
export { isOrphan, type ListedComment, type ListedFile } from "./store/located-comments.ts";
export type { MemoryWorkspace } from "./store/memory-workspace.ts";
export type { LockedFiles } from "./store/workspace.ts";
