import { setImmediate } from "node:timers";
import type { PosixPath } from "@idewire/core";
import type { EditorCommandResult, EditorVerb } from "@idewire/core/internal";
import type { Peer } from "@idewire/core/rpc";
import {
  type Joined,
  LogSender,
  notifyPage,
  type PageCommand,
  type PageHandlers,
  servePageCommands,
  startedAt,
} from "@idewire/devtools/internal";
import type { Environment } from "@idewire/node-server/internal/files";
import { joinPath, toNative } from "@idewire/node-server/internal/files";
import { type CommandTarget, perform } from "../drive/carry-out.ts";
import { scanFolder } from "../folder-host/diagnostics/workspace-scan.ts";
import type { FolderHost } from "../folder-host/index.ts";
import { describeStart } from "./agent-start.ts";
import type { FolderLog } from "./folder-log.ts";
import { FolderState } from "./folder-state.ts";

/** The limits of listed files and of directories searched for them, set by a browser's memory. */
const MAX_FILES = 500_000;

/** The folder of a page. */
export interface FolderOfPage {
  readonly host: FolderHost;
  readonly log: FolderLog;
  readonly env: Environment;
  /** Creates an address for another tab. */
  readonly createLink: () => string;
  /** The shell command that serves the folder again. */
  readonly again: () => string;
  /** Whether its comments are shown. */
  readonly hasComments: boolean;
}

/**
 * Makes a page a frontend of the folder: sends it the log, and answers its commands until the peer closes. Call
 * it in the turn in which the peer is created.
 * @returns the handlers of its other methods
 */
export function livePageHandlers(
  peer: Peer,
  key: string,
  folder: FolderOfPage,
): PageHandlers<"live/join" | "live/link" | "live/files"> {
  const page = new PageFrontend(peer, folder);
  servePageCommands(peer, (command) => page.run(command));
  return {
    "live/join": () => page.join(key),
    "live/link": () => ({ url: folder.createLink() }),
    async "live/files"() {
      await page.listFiles();
      return {};
    },
  };
}

class PageFrontend {
  readonly #peer: Peer;
  readonly #folder: FolderOfPage;
  readonly #target: CommandTarget;
  readonly #logger: LogSender;
  #hasJoined = false;
  /** The files that were sent to the page. */
  #list: string | undefined;
  #areChangesDue = false;

  constructor(peer: Peer, folder: FolderOfPage) {
    this.#peer = peer;
    this.#folder = folder;
    this.#target = commandTarget(folder);
    const { log } = folder.log;
    const state = new FolderState(folder.log);
    this.#logger = new LogSender({ peer, log, state });
    const { list } = folder.host.changes;
    const undo = [
      list.events.on("change", () => this.#changesLater()),
      log.on("append", (event) => state.receive(event)),
      folder.log.onNotice((words) => notifyPage(peer, "live/notice", { words })),
      folder.log.sessions.onchange(() => this.#sendAgents()),
      folder.host.onStale((file) => this.#sendStale(file)),
    ];
    void peer.closed.then(() => {
      for (const each of undo) each();
    });
  }

  /** Sends the log so far, then new events. */
  join(key: string): Joined {
    this.#hasJoined = true;
    // After the answer, so that the page can interpret the events.
    queueMicrotask(() => {
      void this.#logger.run();
      void this.listFiles();
      this.#sendAgents();
      this.#changesLater();
      for (const file of this.#folder.host.stale) this.#sendStale(file);
    });
    const { host, log, env, again, hasComments } = this.#folder;
    const { endpoints } = log;
    const start = describeStart({ folder: toNative(host.folder), endpoints, env });
    const comments = hasComments && ({ comments: true } as const);
    const facts = { folder: host.folder, start, again: again(), began: startedAt(log.log) };
    return { key, ...facts, ...comments };
  }

  /** The page gets the events of its command's changes before the answer. */
  async run(command: PageCommand): Promise<EditorCommandResult<EditorVerb>> {
    try {
      return await perform(command, this.#target);
    } finally {
      await this.#folder.log.flush();
      if (this.#hasJoined) await this.#logger.flush();
    }
  }

  async listFiles(): Promise<void> {
    const { host, log } = this.#folder;
    const found: string[] = [];
    for await (const files of scanFolder(host.folder, () => {}, MAX_FILES)) {
      found.push(...files.map((file) => log.nameOf(file)));
      if (found.length >= MAX_FILES) break;
    }
    const files = found.slice(0, MAX_FILES);
    const list = files.join("\n");
    if (list === this.#list) return;
    this.#list = list;
    notifyPage(this.#peer, "live/files", { files, cut: found.length >= MAX_FILES });
  }

  /** Once per turn: the lines of all are counted. */
  #changesLater(): void {
    if (!this.#hasJoined || this.#areChangesDue) return;
    this.#areChangesDue = true;
    setImmediate(() => {
      this.#areChangesDue = false;
      notifyPage(this.#peer, "live/changes", { changes: this.#folder.host.changes.list.all });
    });
  }

  #sendStale(file: PosixPath): void {
    if (!this.#hasJoined) return;
    notifyPage(this.#peer, "live/stale", { path: this.#folder.log.nameOf(file) });
  }

  #sendAgents(): void {
    if (!this.#hasJoined) return;
    notifyPage(this.#peer, "live/agents", { agents: this.#folder.log.sessions.facts });
  }
}

/** The host checks that the real path is in the folder. */
function commandTarget({ host, log }: FolderOfPage): CommandTarget {
  return {
    editor: host,
    get agents() {
      return log.listener;
    },
    by: "page",
    locate: (name) => joinPath(host.folder, name),
  };
}
