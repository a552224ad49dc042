import type { SessionState } from "@idewire/core/internal";

/**
 * Merges the concurrent changes of two requests to a session: each keeps the members that it has set; for members
 * that both have set, the later one wins.
 * @param before the state that the later one has started from
 * @param mine the state that it has made of that
 * @param theirs the stored state
 */
export function mergeState(
  before: SessionState,
  mine: SessionState,
  theirs: SessionState,
): SessionState {
  const logLevel =
    mine.settings.logLevel === before.settings.logLevel
      ? theirs.settings.logLevel
      : mine.settings.logLevel;
  const had = new Set(before.settings.subscriptions);
  const has = new Set(mine.settings.subscriptions);
  const kept = (theirs.settings.subscriptions ?? []).filter((uri) => has.has(uri) || !had.has(uri));
  const added = [...has].filter((uri) => !had.has(uri));
  const subscriptions = [...new Set([...kept, ...added])];
  return {
    ...theirs,
    initialized: theirs.initialized || mine.initialized,
    settings: {
      ...(logLevel !== undefined && { logLevel }),
      ...(subscriptions.length > 0 && { subscriptions }),
    },
  };
}
