import type { IdeListener } from "@idewire/node-server";
import type { FolderHost } from "../folder-host/folder-host.ts";
import type { Notices } from "../output/notices.ts";
import type { Stop } from "../process/stop.ts";

/** A browser page that is a frontend of the folder as well. */
export interface FolderPage {
  /** An address that opens it once, within a minute. */
  createLink(): string;
  /** Shows the person words, at once and later in the log. */
  notice(words: string): void;
}

/** What a frontend shows and drives. It owns none of it. */
export interface FrontendContext {
  readonly host: FolderHost;
  readonly listener: IdeListener;
  readonly notices: Notices;
  /** The command lines of diagnostics providers, besides the built-in checks. */
  readonly checkers: readonly string[];
  /** The page of the folder, where there is one. */
  readonly page?: FolderPage;
  readonly stop: Stop;
}

/** Shows a served folder to its user: a person at a terminal, or a program. */
export interface Frontend {
  /** Runs until the end is requested. */
  run(context: FrontendContext): Promise<void>;
  /** Everything has been closed in order. */
  closed(): void;
  /** It could not be started at all. */
  failed(message: string): void;
}
