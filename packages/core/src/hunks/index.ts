export { findHunks } from "./find-hunks.ts";
export { diffSequences, locate, type SequenceChange, splitLines } from "./sequences.ts";
export { diffWords, splitWords } from "./words.ts";
