import { ToolFailure } from "../errors.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import type { Selection, SelectionSnapshot } from "./editor-host.ts";

/**
 * How much of the editor's state agents may know. Each level includes the one before: `off` nothing
 * (diffs still work), `path` the active file's path, `selection` also the selected ranges and text and
 * the requested diagnostics, `all` also open documents, unsaved text and the comments on selected lines.
 */
export type ShareLevel = "off" | "path" | "selection" | "all";

/** The levels, lowest first. */
export const shareLevels: readonly ShareLevel[] = ["off", "path", "selection", "all"];

/** What agents may know; applied before any dialect encodes the state. */
export interface SharePolicy {
  readonly level: ShareLevel;
  /** Whether a file is hidden at every level. */
  readonly isExcluded: (path: PosixPath) => boolean;
  /**
   * Whether symbolic links lead a path out of the workspace; it is hidden, and refused as outside.
   */
  readonly leadsOutside?: (path: PosixPath) => boolean;
  /** The length in UTF-16 units to which selected text is truncated. */
  readonly maxTextLength: number;
}

const SECRET_NAME =
  /^\.env|^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$|\.(pem|key|p12|pfx|ppk|jks|keystore)$/i;

/** `.git`, `.env`, `.env.d` and `.envs`, but not `.environments`. */
const SECRET_FOLDER = /^\.git$|^\.envs?$|^\.env[^a-z]/i;

/**
 * Whether a path is one of Git's own files, an `.env*` file or a private key, or in a folder with such a
 * name. It judges the name alone: for a path that may be a link, check its target as well.
 */
export function isSecretPath(path: PosixPath): boolean {
  const names = path.split("/");
  const isSecret = (name: string, at: number) =>
    SECRET_FOLDER.test(name) || (at === names.length - 1 && SECRET_NAME.test(name));
  return names.some((name, at) => isSecret(name, at) || isSecret(plainName(name), at));
}

/** Windows opens the same file by `name:stream` and with trailing dots and spaces. */
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

/** Whether the policy lets agents know what `level` covers of `path`. */
export function mayShare(policy: SharePolicy, level: ShareLevel, path: PosixPath): boolean {
  const isLevel = shareLevels.indexOf(policy.level) >= shareLevels.indexOf(level);
  return isLevel && !policy.isExcluded(path) && policy.leadsOutside?.(path) !== true;
}

/**
 * The failure for a file that is not shared. A host answers the same for a file that is not there,
 * so that neither can be told from the other.
 */
export function notShared(path: PosixPath): ToolFailure {
  return new ToolFailure(`${path} is no file that agents may see; check the name`);
}

/** The part of the selection that agents may know; undefined when they may know nothing. */
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
  const comments = policy.level === "all" ? selection.comments : undefined;
  return { path, ranges, primary, comments };
}

/** Truncates a text without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const halvesPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halvesPair ? length - 1 : length);
}
