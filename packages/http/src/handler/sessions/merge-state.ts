import type { SessionState } from "@idewire/core/internal";

/**
 * What has become of a session when two requests have changed it at once: each keeps what it has set, and
 * what both have set is of the later.
 * @param before what the later one has started from
 * @param mine what it has made of that
 * @param theirs what is stored now
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
