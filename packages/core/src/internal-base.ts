// For short-lived programs of the sibling packages: one chunk, without a library.

export { messageOf } from "./errors.ts";
export { evictOldest } from "./evict-oldest.ts";
export { commandMethod, locateCommand } from "./ide/editor/editor-command.ts";
export { describeUnable, type MentionDelivery } from "./ide/mention-delivery.ts";
export { notShared } from "./ide/share-policy.ts";
export { requireMembers, requireText } from "./misuse.ts";
export {
  comparisonKey,
  isInside,
  parsePosixPath,
  relativeTo,
  toNativePath,
  toPosixPath,
} from "./paths/posix-path.ts";
export { backOffMs } from "./rpc/back-off.ts";
export { parseJson } from "./rpc/costly-json.ts";
export { createExactJson, type ExactJson, type LosslessJson } from "./rpc/exact-json.ts";
export { isObject } from "./rpc/message.ts";
export { LOW_WATER_BYTES, MAX_FRAME_BYTES } from "./rpc/transport.ts";
export { isSecretPath } from "./secrets/secret-paths.ts";
export { countOf } from "./text/count-of.ts";
export { type DecodedFile, decodeFile } from "./text/decode-file.ts";
export { describePath, describeValue } from "./text/describe-value.ts";
export {
  findHidden,
  labelOfHidden,
  showHidden,
  showHiddenInLine,
} from "./text/hidden-characters.ts";
export { mergeTyped } from "./text/merge-typed.ts";
export { inOneLine } from "./text/one-line.ts";
export { TextLines } from "./text/text-lines.ts";
