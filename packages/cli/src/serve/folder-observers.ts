import type { IdeListener, ListenIdeOptions } from "@idewire/node-server";
import type { FolderHost } from "../folder-host/index.ts";
import type { Notices } from "../output/notices.ts";
import type { PageComments } from "../page-server/folder-comments.ts";
import { FolderLog, openFolderPage, openTraceFile, type PageServer } from "../page-server/index.ts";
import type { CliIo } from "../process/io.ts";
import { openInBrowser } from "./browser/open-in-browser.ts";
import type { FolderPage } from "./frontend.ts";
import type { ServeOptions } from "./serve-options.ts";
import { typedCommand } from "./typed-command.ts";

/** The observers of a folder: a page, a recording, or both. */
export interface FolderObservers {
  readonly page: FolderPage | undefined;
  readonly wrapTransport: NonNullable<ListenIdeOptions["wrapTransport"]>;
  watch(listener: IdeListener): void;
  close(): Promise<void>;
}

type ObservedOptions = Pick<ServeOptions, "page" | "record" | "listen" | "comments">;

/** Opens the requested observers. */
export async function openObservers(
  host: FolderHost,
  options: ObservedOptions,
  { io, notices }: { readonly io: CliIo; readonly notices: Notices },
): Promise<FolderObservers> {
  const { page: wanted, record } = options;
  const log = new FolderLog(host);
  const trace =
    record === undefined
      ? undefined
      : openTraceFile({
          ...{ path: record, log: log.log, names: { ide: host.name }, home: io.env["HOME"] },
          onproblem: notices.print,
        });
  const opened =
    wanted === undefined
      ? undefined
      : await openPage({ host, log }, options, io).catch((error: unknown) => {
          trace?.close();
          throw error;
        });
  const { server } = opened ?? {};
  return {
    page: server && {
      createLink: () => server.createLink(),
      notice: (words) => log.notice(words),
    },
    wrapTransport: log.wrapTransport,
    watch(listener) {
      log.watch(listener);
      if (wanted?.open !== true || server === undefined) return;
      const createLink = () => server.createLink();
      openInBrowser({ env: io.env, createLink, warn: notices.print });
    },
    async close() {
      await opened?.close();
      log.close();
      trace?.close();
    },
  };
}

/** The page, with the comments of the folder if requested. */
async function openPage(
  folder: { readonly host: FolderHost; readonly log: FolderLog },
  { page: { port } = { open: false }, comments: isCommented, listen }: ObservedOptions,
  { env, cwd, args = [] }: Pick<CliIo, "env" | "cwd" | "args">,
): Promise<{ readonly server: PageServer; close(): Promise<void> }> {
  const comments = isCommented ? await openComments(folder.host, env) : undefined;
  try {
    const server = await openFolderPage({
      ...{ ...folder, env, isMapped: listen.pathMap !== undefined },
      commandFor: (port) => typedCommand({ args, cwd, port }),
      ...(port !== undefined && { port }),
      ...(comments && { comments }),
    });
    return {
      server,
      async close() {
        await server.close();
        comments?.close();
      },
    };
  } catch (error) {
    comments?.close();
    throw error;
  }
}

/** Parsers are loaded only if needed. */
async function openComments(host: FolderHost, env: CliIo["env"]): Promise<PageComments> {
  const { openPageComments } = await import("../comments/page-comments.ts");
  return openPageComments(host, env);
}
