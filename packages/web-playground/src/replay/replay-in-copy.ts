import { manualClock } from "@idewire/core/testing";
import { createSimulatedWire, recordedFolderFor } from "@idewire/devtools/internal";
import {
  EventLog,
  type RecordedSession,
  recordTransport,
  replaySession,
  type SessionReplay,
} from "@idewire/devtools/trace";
import { copyEditor, passTime } from "../state/copy-editor.ts";
import { type IndexedLog, withIndex } from "../state/indexed-log.ts";
import type { PageModel } from "../state/page-model.ts";

/** For questions to a person, which the copy cannot answer. */
const TIMEOUT_MS = 2_000;
const CHANNEL = "live";

/** The answers of a copy of the editor, and its frames. */
export interface CopyReplay {
  readonly replay: SessionReplay;
  readonly of: IndexedLog;
}

/**
 * Sends the agent's side of a session of the page's log to a copy of the simulated editor, in its state at the
 * start of the session. Never rejects.
 */
export async function replayInCopy(
  model: PageModel,
  session: RecordedSession,
  options: { readonly all: boolean; readonly signal: AbortSignal },
): Promise<CopyReplay> {
  const clock = manualClock();
  const now = (): number => clock.nowMs;
  const [first] = session.messages;
  const simulation = copyEditor(model.stateAt((first?.n ?? 1) - 1), clock);
  const wire = createSimulatedWire({
    ...{ ch: CHANNEL, log: new EventLog({ now }), clock },
    latencyMs: 1,
  });
  simulation.admit(wire.ide);
  // The same events as in the log of the replay, so that the numbers agree.
  const of = withIndex(new EventLog({ now }));
  const transport = recordTransport(wire.agent, { log: of.log, ch: CHANNEL, sends: "agent>ide" });
  const { folder } = session;
  const copied = simulation.pathOf("").slice(0, -1);
  let hasEnded = false;
  const running = replaySession(session, transport, {
    ...{ ...options, timeoutMs: TIMEOUT_MS },
    ...(folder !== undefined && { folders: [recordedFolderFor(copied, folder), copied] }),
  }).finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) await passTime(clock);
  simulation.close();
  return { replay: await running, of };
}
