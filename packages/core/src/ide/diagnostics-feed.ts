import type { Unsubscribe } from "../emitter.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import { formatNotification } from "../rpc/message.ts";
import type { WireNotification } from "./dialect.ts";
import type { FileDiagnostics } from "./editor-host.ts";
import type { IdeServer } from "./ide-server.ts";
import { mayShare } from "./share-policy.ts";

/**
 * Tells every agent of a server which diagnostics a file has, each time they change. Files are asked
 * for one after the other, so that the last word on each is the newest.
 */
export function watchDiagnostics(
  server: IdeServer,
  encode: (file: FileDiagnostics) => WireNotification,
): Unsubscribe {
  const changed = new Set<PosixPath>();
  let running = false;
  const run = async () => {
    running = true;
    for (const path of changed) {
      changed.delete(path);
      await tell(server, path, encode).catch((error: unknown) => server.report(error));
    }
    running = false;
  };
  return server.host.on("diagnostics", (paths) => {
    for (const path of paths) changed.add(path);
    if (!running) void run();
  });
}

async function tell(
  server: IdeServer,
  path: PosixPath,
  encode: (file: FileDiagnostics) => WireNotification,
): Promise<void> {
  const sessions = () => [...server.sessions].filter(({ ready }) => ready);
  if (sessions().length === 0 || !mayShare(server.share, "selection", path)) return;
  const files = (await server.host.diagnostics?.(path)) ?? [];
  if (!mayShare(server.share, "selection", path)) return;
  const diagnostics = files
    .filter((file) => file.path === path)
    .flatMap((file) => file.diagnostics);
  const { method, params } = encode({ path, diagnostics });
  const frame = formatNotification(method, params);
  for (const { connection } of sessions()) connection.sendState(`${method} ${path}`, frame);
}
