import { createCommentServer, type ErrorStyle } from "@idewire/paired-comments";
import { openStdio } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import { openCommentStore } from "./open-store.ts";

/** Serves the comments of a folder on stdin and stdout until the agent closes its side. */
export function serveComments(
  folder: string,
  errors: ErrorStyle | undefined,
  io: CliIo,
): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const changes = new Set<(filePath: string) => void>();
    const store = await openCommentStore(folder, (filePath) => {
      for (const change of changes) change(filePath);
    });
    const { server, changed } = createCommentServer({ store, errors });
    changes.add(changed);
    const { peer } = server.connect(openStdio(io), { context: undefined });
    void peer.closed.then(() => stop.request(ExitCode.Ok));
    const code = await stop.requested;
    peer.close();
    return code;
  });
}
