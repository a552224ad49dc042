import { ToolFailure } from "../errors.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import { isSecretPath } from "../secrets/secret-paths.ts";
import { describePath } from "../text/describe-value.ts";
import { cutText } from "../text/well-formed.ts";
import type { EditorHost, OpenDocument, Selection, SelectionSnapshot } from "./editor-host.ts";

/**
 * How much of the editor's state is shared with agents. Each level includes the one before: `off` nothing
 * (diffs still work), `path` the active file's path, `selection` also the selected ranges and text and
 * the requested diagnostics, `all` also open documents, unsaved text and the comments on selected lines.
 */
export type ShareLevel = "off" | "path" | "selection" | "all";

/** The levels, lowest first. */
export const shareLevels: readonly ShareLevel[] = ["off", "path", "selection", "all"];

/** What is shared with agents; applied before any dialect encodes the state. */
export interface SharePolicy {
  readonly level: ShareLevel;
  /** Whether a file is hidden at every level. */
  readonly isExcluded: (path: PosixPath) => boolean;
  /**
   * Whether symbolic links lead a path out of the workspace; it is hidden, and refused as outside.
   */
  readonly leadsOutside?: (path: PosixPath) => boolean;
  /**
   * A path as the editor spells it, which symbolic links may lead to; undefined for one that is not in the workspace.
   * Left out where nothing is known of links.
   */
  readonly toWorkspace?: (path: PosixPath) => PosixPath | undefined;
  /** The length in UTF-16 units to which selected text is truncated. */
  readonly maxTextLength: number;
}

export const defaultSharePolicy: SharePolicy = {
  level: "selection",
  isExcluded: isSecretPath,
  maxTextLength: 100_000,
};

/** Whether the policy shares what `level` covers of `path`. */
export function mayShare(policy: SharePolicy, level: ShareLevel, path: PosixPath): boolean {
  const isLevel = shareLevels.indexOf(policy.level) >= shareLevels.indexOf(level);
  return isLevel && !policy.isExcluded(path) && policy.leadsOutside?.(path) !== true;
}

/**
 * The failure for a file that is not shared. A host answers the same for a file that is not there,
 * so that the two look alike.
 */
export function notShared(path: PosixPath): ToolFailure {
  return new ToolFailure(
    `${describePath(path)} is not a file that is shared with agents; check the name`,
  );
}

/** The shared part of an editor's state. */
export interface SharedState {
  readonly selection: SelectionSnapshot | undefined;
  /** Empty below the level `all`. */
  readonly documents: readonly OpenDocument[];
  /** Whether the person trusts the workspace. */
  readonly trusted: boolean;
}

/** The shared part of a host's state, read as far as it is used. */
export function shareState(host: EditorHost, policy: SharePolicy): SharedState {
  return {
    selection: shareSelection(host.selection("latest"), policy),
    get documents() {
      return host.documents().filter(({ path }) => mayShare(policy, "all", path));
    },
    get trusted() {
      return host.workspace().trusted;
    },
  };
}

/** The shared part of the selection; undefined when nothing is shared. */
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
    text: cutText(text, policy.maxTextLength),
  }));
  const comments = policy.level === "all" ? selection.comments : undefined;
  return { path, ranges, primary, comments };
}
