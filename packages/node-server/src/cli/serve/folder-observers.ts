import type { FolderHost } from "../../folder-host/index.ts";
import type { IdeListener, ListenIdeOptions } from "../../listen/listen-options.ts";
import type { PageComments } from "../../page-server/folder-comments.ts";
import { FolderLog, openFolderPage, openTraceFile } from "../../page-server/index.ts";
import { openInBrowser } from "../browser/open-in-browser.ts";
import type { Notices } from "../output/notices.ts";
import type { CliIo } from "../process/io.ts";
import type { FolderPage } from "./frontend.ts";
import type { ServeOptions } from "./serve-options.ts";

/** What observes a folder: a page, a recording, or both. */
export interface FolderObservers {
  readonly page: FolderPage | undefined;
  readonly wrapTransport: NonNullable<ListenIdeOptions["wrapTransport"]>;
  watch(listener: IdeListener): void;
  close(): Promise<void>;
}

/** Opens what was asked for; undefined when that is nothing. */
export async function openObservers(
  host: FolderHost,
  options: Pick<ServeOptions, "page" | "record" | "listen" | "comments">,
  { io, notices }: { readonly io: CliIo; readonly notices: Notices },
): Promise<FolderObservers | undefined> {
  const { page: wanted, record } = options;
  if (wanted === undefined && record === undefined) return undefined;
  const log = new FolderLog(host);
  const trace =
    record === undefined
      ? undefined
      : openTraceFile({
          ...{ path: record, log: log.log, ide: host.info.name, home: io.env["HOME"] },
          onproblem: notices.print,
        });
  const { port } = wanted ?? {};
  const isCommented = wanted !== undefined && options.comments;
  const comments = isCommented ? await openComments(host, io.env["USER"]) : undefined;
  const isMapped = options.listen.pathMap !== undefined;
  const server =
    wanted === undefined
      ? undefined
      : await openFolderPage({
          ...{ host, log, env: io.env, isMapped },
          ...(port !== undefined && { port }),
          ...(comments && { comments }),
        }).catch((error) => {
          trace?.close();
          comments?.close();
          throw error;
        });
  return {
    page: server,
    wrapTransport: log.wrapTransport,
    watch(listener) {
      log.watch(listener);
      if (wanted?.open !== true || server === undefined) return;
      const createLink = () => server.createLink();
      openInBrowser({ env: io.env, createLink, warn: notices.print });
    },
    async close() {
      await server?.close();
      comments?.close();
      log.close();
      trace?.close();
    },
  };
}

/** Parsers are loaded only where they are wanted. */
async function openComments(host: FolderHost, author = "user"): Promise<PageComments> {
  const { openPageComments } = await import("../comments/page-comments.ts");
  return openPageComments(host, author);
}
