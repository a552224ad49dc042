import type { FolderHost } from "../folder-host/index.ts";
import type { FolderLog } from "./folder-log.ts";
import { serveLivePage } from "./live-page.ts";
import { PageServer, type PageServerOptions } from "./page-server.ts";

export { FolderLog } from "./folder-log.ts";
export type { PageServer } from "./page-server.ts";
export { openTraceFile, type TraceFile } from "./trace-file.ts";

/** A folder to open in a page. */
export interface FolderPageOptions extends Omit<PageServerOptions, "onpage"> {
  readonly host: FolderHost;
  readonly log: FolderLog;
}

/** Serves the page on loopback: it is a face of the folder. Whoever opens it closes it. */
export async function openFolderPage(options: FolderPageOptions): Promise<PageServer> {
  const { host, log, ...rest } = options;
  const createLink = (): string => server.createLink();
  const server: PageServer = await PageServer.open({
    ...rest,
    onpage: (peer, key) => serveLivePage(peer, key, { host, log, createLink }),
  });
  return server;
}
