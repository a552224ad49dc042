import type { IdeSession, PathMap, PosixPath } from "@idewire/core";
import type { AgentWrite, UnreviewedWrites, WriteWatchOptions } from "@idewire/core/internal";
import {
  agentTitle,
  askingModeWords,
  hasModes,
  hasNoDiff,
  showHiddenInLine,
  systemClock,
  WriteWatch,
} from "@idewire/core/internal";
import type { Implementation } from "@idewire/core/server";
import type { Environment } from "../files/directories.ts";
import type { AgentSide } from "./agent-side.ts";
import { asksInTerminal } from "./diff-tool.ts";
import { isOurs, isReviewer } from "./internal-clients.ts";

/** How many files are named. */
const MAX_NAMES = 3;

/** The remedies for an unreviewed edit of Claude Code, and possible explanations of another write. */
const ADVICE =
  "Claude Code's mode lets it write without asking. Press Shift+Tab there for " +
  `${askingModeWords}, in which you review its diffs here.`;
const EXPLANATION =
  "Claude Code's shell commands are not reviewed here, nor are its edits in other modes than " +
  `${askingModeWords}: press Shift+Tab there.`;

export interface WatchUnreviewedOptions
  extends Pick<WriteWatchOptions<IdeSession>, "sessions" | "emit"> {
  readonly onwrite: (session: IdeSession | undefined, write: AgentWrite) => void;
  readonly side: AgentSide;
  readonly env: Environment;
  readonly pathMap: PathMap | undefined;
}

/** Watches an editor for all dialects together: an agent of any of them may have written a file. */
export function watchUnreviewed(options: WatchUnreviewedOptions): WriteWatch<IdeSession> {
  const { side, env, pathMap, sessions, emit, onwrite } = options;
  const toHost = (path: PosixPath) => (pathMap === undefined ? path : pathMap.toHost(path));
  return new WriteWatch({
    host: side.host,
    platform: side.platform,
    clock: systemClock,
    sessions,
    isAgent: ({ agent }) => agent !== undefined && !isOurs(agent),
    asksItself: () => asksInTerminal(env),
    emit(session, { paths, ...writes }) {
      emit(session, { ...writes, paths: paths.flatMap((path) => toHost(path) ?? []) });
    },
    onwrite(session, { path: seen, ...write }) {
      const path = toHost(seen);
      if (path !== undefined) onwrite(session, { ...write, path });
    },
  });
}

/** Lists the files that were written without a review here, with the writer, if known. */
export function describeUnreviewed(
  session: Pick<IdeSession, "agent"> | undefined,
  { paths, isCertain }: UnreviewedWrites,
  nameOf: (path: PosixPath) => string,
): string {
  const names = paths.slice(0, MAX_NAMES).map(nameOf).join(", ");
  const rest = paths.length - MAX_NAMES;
  const files = rest > 0 ? `${paths.length} files (${names} and ${rest} more)` : names;
  const written = `${files} ${paths.length === 1 ? "was" : "were"} written without a review here`;
  if (isCertain) return `${written}. ${ADVICE}`;
  const name = showHiddenInLine(agentTitle(session?.agent));
  const by = `${written}, by ${name} or another program.`;
  return hasModes(session?.agent) ? `${by} ${EXPLANATION}` : by;
}

/**
 * Advice for the person about an agent that has just connected; empty if there is none.
 * @param sessions all that are connected
 */
export function describeHabit(
  agent: Implementation | undefined,
  sessions: Iterable<Pick<IdeSession, "agent">>,
): string {
  if (!hasNoDiff(agent)) return "";
  return [...sessions].some((session) => isReviewer(session.agent))
    ? "Its edits are reviewed here, since idewire run has started it."
    : "It does not support diffs: it writes without a review here.";
}
