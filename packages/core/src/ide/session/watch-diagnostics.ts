import type { Unsubscribe } from "../../emitter.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import { formatNotification } from "../../rpc/message.ts";
import type { WireNotification } from "../dialect.ts";
import type { FileDiagnostics } from "../editor-host.ts";
import { mayShare } from "../share-policy.ts";
import type { DialectContext, IdeSession, SentFact } from "./ide-session.ts";

/**
 * Sends every agent of a server the diagnostics of a file each time they change; an agent that is not
 * ready gets them once it is. The files are read one at a time, so that the last notification for each is
 * the newest.
 */
export function watchDiagnostics(
  server: DialectContext,
  encode: (file: FileDiagnostics) => WireNotification,
): Unsubscribe {
  /** The sessions to which each file's diagnostics have to be sent. */
  const due = new Map<PosixPath, readonly IdeSession[]>();
  let isRunning = false;
  let isRequested = false;
  const addDue = (path: PosixPath, sessions: Iterable<IdeSession>) => {
    due.set(path, [...new Set([...(due.get(path) ?? []), ...sessions])]);
  };
  const round = async () => {
    for (const [path, sessions] of due) {
      const known = sessions.filter((session) => server.sessions.has(session));
      const hasReady = known.some(({ ready }) => ready);
      if (hasReady || known.length === 0) due.delete(path);
      if (!hasReady) continue;
      const sent = await emit(server, { path, encode, sessions: known }).catch((error: unknown) => {
        server.report(error);
        return known;
      });
      const left = known.filter((session) => !sent.includes(session));
      if (left.length > 0) addDue(path, left);
    }
  };
  const run = async () => {
    isRequested = true;
    if (isRunning) return;
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      await round();
    }
    isRunning = false;
  };
  const stops = [
    server.host.on("diagnostics", (paths) => {
      for (const path of paths) addDue(path, server.sessions);
      void run();
    }),
    server.events.on("ready", () => void run()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface DiagnosticsUpdate {
  readonly path: PosixPath;
  readonly sessions: readonly IdeSession[];
  readonly encode: (file: FileDiagnostics) => WireNotification;
}

/** Returns the sessions to which nothing more has to be sent. */
async function emit(
  server: DialectContext,
  { path, sessions, encode }: DiagnosticsUpdate,
): Promise<readonly IdeSession[]> {
  if (!mayShare(server.share, "selection", path)) return sessions;
  const files = (await server.host.diagnostics?.(path)) ?? [];
  if (!mayShare(server.share, "selection", path)) return sessions;
  const diagnostics = files
    .filter((file) => file.path === path)
    .flatMap((file) => file.diagnostics);
  const { method, params } = encode({ path, diagnostics });
  const fact: SentFact = { kind: "diagnostics", path, diagnostics };
  const frame = formatNotification(method, params);
  const able = sessions.filter(({ ready }) => ready);
  for (const session of able) {
    session.connection.sendState(`${method} ${path}`, frame);
    server.events.emit("sent", session, fact, frame);
  }
  return able;
}
