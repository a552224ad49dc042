import type { IdeListener } from "@idewire/node-server";
import type { FolderHost } from "../folder-host/folder-host.ts";
import type { Notices } from "../output/notices.ts";
import type { Stop } from "../process/stop.ts";
import type { DiffQueue } from "./terminal/review/diff-queue.ts";

/** A browser page that is also a frontend of the folder. */
export interface FolderPage {
  /** Creates an address that opens it once, within a minute. */
  createLink(): string;
  /** Shows the person words, at once and later in the log. */
  notice(words: string): void;
}

/** The objects that a frontend shows and drives, without owning them. */
export interface FrontendContext {
  readonly host: FolderHost;
  readonly listener: IdeListener;
  readonly notices: Notices;
  /** The command lines of diagnostics providers, besides the built-in checks. */
  readonly checkers: readonly string[];
  /** The numbers of the pending diffs. */
  readonly diffs: DiffQueue;
  /** The page of the folder, if there is one. */
  readonly page?: FolderPage;
  readonly stop: Stop;
}

/** Shows a served folder to its user: a person at a terminal, or a program. */
export interface Frontend {
  /** Runs until it is stopped. */
  run(context: FrontendContext): Promise<void>;
  /** Called when everything has been closed. */
  closed(): void;
  /** Called when it could not be started. */
  failed(message: string): void;
}
