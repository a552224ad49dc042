import { setImmediate as turn } from "node:timers/promises";
import type { PosixPath } from "@idewire/core";
import type { Peer } from "@idewire/core/rpc";
import {
  deliverToPage,
  type PageHandlers,
  type PageMethods,
  searchFiles,
} from "@idewire/devtools/internal";
import { joinPath } from "@idewire/node-server/internal/files";
import { scanFolder } from "../folder-host/diagnostics/workspace-scan.ts";
import type { FolderHost } from "../folder-host/index.ts";
import type { FolderLog } from "./folder-log.ts";

/** The folder that a page searches. */
export interface SearchedFolder {
  readonly host: Pick<FolderHost, "folder" | "read">;
  readonly log: {
    readonly nameOf: FolderLog["nameOf"];
    readonly listener: Pick<NonNullable<FolderLog["listener"]>, "isExcluded"> | undefined;
  };
}

type SearchCall = PageMethods["search/run"];

/** Handlers by which a page searches the files of the folder, one search at a time. */
export function searchHandlers(
  peer: Peer,
  folder: SearchedFolder,
): PageHandlers<"search/run" | "search/stop"> {
  let running = new AbortController();
  void peer.closed.then(() => running.abort());
  return {
    async "search/run"({ run, ...query }): Promise<SearchCall["result"]> {
      running.abort();
      running = new AbortController();
      const { signal } = running;
      return searchFiles(query, {
        paths: namesIn(folder),
        read: (name) => readShared(folder, joinPath(folder.host.folder, name)),
        take: (found) => deliverToPage(peer, "search/found", { run, found }),
        signal,
      });
    },
    "search/stop": () => {
      running.abort();
      return {};
    },
  };
}

/** The names of the files that the page lists, directory by directory. */
async function* namesIn({ host, log }: SearchedFolder): AsyncGenerator<readonly string[]> {
  for await (const files of scanFolder(host.folder, () => {}, Number.POSITIVE_INFINITY)) {
    // The agents of the folder are served meanwhile.
    await turn();
    yield files.filter((path) => log.listener?.isExcluded(path) !== true).map(log.nameOf, log);
  }
}

/** The text of a file, unsaved text first; undefined for other files. */
async function readShared({ host }: SearchedFolder, path: PosixPath): Promise<string | undefined> {
  return host.read(path).catch(() => undefined);
}
