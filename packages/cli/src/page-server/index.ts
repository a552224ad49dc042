import {
  type CommentPageMethod,
  type FolderPageMethod,
  servePage,
} from "@idewire/devtools/internal";
import { authorIn, type Environment, toNative } from "@idewire/node-server/internal/files";
import type { FolderHost } from "../folder-host/index.ts";
import type { PageComments } from "./folder-comments.ts";
import type { FolderLog } from "./folder-log.ts";
import { changeHandlers } from "./live-changes.ts";
import { checkHandlers, editorsFor } from "./live-checks.ts";
import { doctorHandlers } from "./live-doctor.ts";
import { livePageHandlers } from "./live-page.ts";
import { searchHandlers } from "./live-search.ts";
import { openTickets } from "./page-keys.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";

export { FolderLog } from "./folder-log.ts";
export type { PageServer } from "./page-server.ts";
export { openTraceFile } from "./trace-file.ts";

/** The options of a folder's page. */
export interface FolderPageOptions extends Omit<PageServerOptions, "onpage"> {
  readonly host: FolderHost;
  readonly log: FolderLog;
  /** The environment for the doctor of the page. */
  readonly env: Environment;
  /** The folder is offered under paths of another machine. */
  readonly isMapped: boolean;
  /** The shell command that serves the folder again, with its page on this port. */
  readonly commandFor: (port: number) => string;
  /** The comments of the folder; the caller closes them. */
  readonly comments?: PageComments;
}

/** Serves the page on loopback, as a frontend of the folder. The caller closes it. */
export async function openFolderPage(options: FolderPageOptions): Promise<PageServer> {
  const { host, log, env, isMapped, commandFor, comments, ...rest } = options;
  const hasComments = comments !== undefined;
  const folder = toNative(host.folder);
  const createLink = (): string => server.createLink();
  const again = (): string => commandFor(server.port);
  const server: PageServer = await PageServer.open({
    tickets: await openTickets(host.folder, env),
    ...rest,
    onpage: (peer, key) => {
      const editors = () => editorsFor(folder, env);
      servePage<FolderPageMethod>(peer, {
        ...livePageHandlers(peer, key, { host, log, env, createLink, again, hasComments }),
        ...searchHandlers(peer, { host, log }),
        ...changeHandlers({ host, log, author: () => authorIn(folder, env) }),
        ...doctorHandlers(peer, { folder, env, isMapped, log }),
        ...checkHandlers(peer, { env, editors, ownConnections: log.own }),
      });
      if (comments !== undefined) servePage<CommentPageMethod>(peer, comments.serve(peer));
    },
  });
  return server;
}
