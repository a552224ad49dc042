import type { Unsubscribe } from "../../emitter.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import { formatNotification } from "../../rpc/message.ts";
import type { WireNotification } from "../dialect.ts";
import type { FileDiagnostics } from "../editor-host.ts";
import { mayShare } from "../share-policy.ts";
import type { DialectContext, IdeSession, SentFact } from "./ide-session.ts";

/**
 * Tells every agent of a server which diagnostics a file has, each time they change; one that cannot
 * hear yet is told when it can. Files are asked for one after the other, so that the last word on
 * each is the newest.
 */
export function watchDiagnostics(
  server: DialectContext,
  encode: (file: FileDiagnostics) => WireNotification,
): Unsubscribe {
  /** Who is to be told of which file. */
  const owed = new Map<PosixPath, readonly IdeSession[]>();
  let isRunning = false;
  let isAsked = false;
  const owe = (path: PosixPath, sessions: Iterable<IdeSession>) => {
    owed.set(path, [...new Set([...(owed.get(path) ?? []), ...sessions])]);
  };
  const round = async () => {
    for (const [path, sessions] of owed) {
      const known = sessions.filter((session) => server.sessions.has(session));
      const isReceived = known.some(({ ready }) => ready);
      if (isReceived || known.length === 0) owed.delete(path);
      if (!isReceived) continue;
      const sent = await emit(server, { path, encode, sessions: known }).catch((error: unknown) => {
        server.report(error);
        return known;
      });
      const left = known.filter((session) => !sent.includes(session));
      if (left.length > 0) owe(path, left);
    }
  };
  const run = async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await round();
    }
    isRunning = false;
  };
  const stops = [
    server.host.on("diagnostics", (paths) => {
      for (const path of paths) owe(path, server.sessions);
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

/** Gives those to whom nothing is owed any more. */
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
