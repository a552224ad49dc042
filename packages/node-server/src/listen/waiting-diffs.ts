import type { EditorHost, IdeSession } from "@idewire/core";
import { agentTitle, overrideHost } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { WaitingDiff } from "../discovery/folder-claim.ts";

export interface RecordedDiffsOptions {
  readonly sessions: () => Iterable<IdeSession>;
  /** Called with the diffs that wait, when there is one more or one less. */
  readonly onchange: (diffs: readonly WaitingDiff[]) => void;
}

/** A host whose pending diffs are reported, so that they can be listed after the process was killed. */
export function recordDiffs(
  host: EditorHost,
  { sessions, onchange }: RecordedDiffsOptions,
): EditorHost {
  const waiting = new Set<WaitingDiff>();
  const nameOf = (id: string) => {
    return agentTitle([...sessions()].find((session) => session.id === id)?.agent);
  };
  const openDiff: EditorHost["openDiff"] = async (request, signal) => {
    const { path, session } = request;
    const diff = { path, agent: nameOf(session), openedMs: Date.now() };
    waiting.add(diff);
    onchange([...waiting]);
    try {
      return (await host.openDiff?.(request, signal)) ?? { kind: "cancelled" };
    } finally {
      waiting.delete(diff);
      onchange([...waiting]);
    }
  };
  // Of several editors, the next one to be active may have no diffs.
  return overrideHost(host, {
    get openDiff() {
      return host.openDiff && openDiff;
    },
  });
}

/** The notice about a diff that was pending when an earlier run was killed. */
export function describeInterrupted({ path, agent, openedMs }: WaitingDiff): IdewireError {
  const at = new Date(openedMs).toTimeString().slice(0, 5);
  return new IdewireError(
    "closed",
    `${path}: the change that ${agent} proposed at ${at} was waiting when idewire was killed; answer it in ${agent}`,
  );
}
