import { baseName, type PosixPath } from "../paths/posix-path.ts";
import type { Selection, SelectionSnapshot } from "./editor-host.ts";

/**
 * How much of the editor's state agents get, each level with all of the one before:
 * `off` nothing (diffs still work), `path` the active file's path, `selection` also range and text,
 * and the diagnostics that an agent asks for, `all` also open documents and unsaved text.
 */
export type ShareLevel = "off" | "path" | "selection" | "all";

/** The levels, from least to most. */
export const shareLevels: readonly ShareLevel[] = ["off", "path", "selection", "all"];

/** What may be told to an agent; applied before any dialect sees the state. */
export interface SharePolicy {
  readonly level: ShareLevel;
  /** Files of which nothing is told at any level. */
  readonly isExcluded: (path: PosixPath) => boolean;
  /** A selected text is cut to so many UTF-16 units. */
  readonly maxTextLength: number;
}

const SECRET_NAME =
  /^\.env|^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$|\.(pem|key|p12|pfx|ppk|jks|keystore)$/i;

/** Git's own files, `.env*` files and private keys. */
export function isSecretPath(path: PosixPath): boolean {
  const name = baseName(path);
  // Windows opens the same file by these names too.
  const [first = ""] = name.split(":", 1);
  const plain = first.slice(0, endBefore(first, ". "));
  return /\/\.git[. ]*(\/|$)/i.test(path) || SECRET_NAME.test(name) || SECRET_NAME.test(plain);
}

/** Where the text ends without so many of these units at its end, however many they are. */
function endBefore(text: string, units: string): number {
  let end = text.length;
  while (end > 0 && units.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

export const defaultSharePolicy: SharePolicy = {
  level: "selection",
  isExcluded: isSecretPath,
  maxTextLength: 100_000,
};

/** Whether the policy lets at least `level` of `path` be told. */
export function mayShare(policy: SharePolicy, level: ShareLevel, path: PosixPath): boolean {
  return (
    shareLevels.indexOf(policy.level) >= shareLevels.indexOf(level) && !policy.isExcluded(path)
  );
}

/** What an agent may know of the selection; undefined is nothing. */
export function shareSelection(
  selection: Selection | undefined,
  policy: SharePolicy,
): SelectionSnapshot | undefined {
  if (selection === undefined || !mayShare(policy, "path", selection.path)) return undefined;
  const { path, primary } = selection;
  if (policy.level === "path") return { path, primary };
  const ranges = selection.ranges.map(({ start, end, text }) => ({
    start,
    end,
    text: cut(text, policy.maxTextLength),
  }));
  return { path, ranges, primary };
}

/** Cuts without halving a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const halvesPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halvesPair ? length - 1 : length);
}
