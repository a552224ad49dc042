import type { PosixPath } from "../paths/posix-path.ts";
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
  /** A link leads it out of the workspace: nothing of it is told, and it is refused as outside. */
  readonly leadsOutside?: (path: PosixPath) => boolean;
  /** A selected text is cut to so many UTF-16 units. */
  readonly maxTextLength: number;
}

const SECRET_NAME =
  /^\.env|^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$|\.(pem|key|p12|pfx|ppk|jks|keystore)$/i;

/** `.git` and what is in it; `.env`, `.env.d`, `.envs`: a workspace in `.environments` is none. */
const SECRET_FOLDER = /^\.git$|^\.envs?$|^\.env[^a-z]/i;

/**
 * Git's own files, `.env*` files and private keys, and what is in a folder of such a name. It judges
 * the name: of a path that may be a link, ask about where it leads as well.
 */
export function isSecretPath(path: PosixPath): boolean {
  const names = path.split("/");
  const isSecret = (name: string, at: number) =>
    SECRET_FOLDER.test(name) || (at === names.length - 1 && SECRET_NAME.test(name));
  return names.some((name, at) => isSecret(name, at) || isSecret(plainName(name), at));
}

/** Windows opens the same file by `name:stream`, and with dots and blanks at its end. */
function plainName(name: string): string {
  const colon = name.indexOf(":");
  let end = colon < 0 ? name.length : colon;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}

export const defaultSharePolicy: SharePolicy = {
  level: "selection",
  isExcluded: isSecretPath,
  maxTextLength: 100_000,
};

/** Whether the policy lets at least `level` of `path` be told. */
export function mayShare(policy: SharePolicy, level: ShareLevel, path: PosixPath): boolean {
  const isLevel = shareLevels.indexOf(policy.level) >= shareLevels.indexOf(level);
  return isLevel && !policy.isExcluded(path) && policy.leadsOutside?.(path) !== true;
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
