import { join } from "node:path";
import {
  type DiscoveryKind,
  formatClaudeLockFile,
  formatJetBrainsFile,
  JETBRAINS_FOLDER,
  jetBrainsFileName,
  LOCK_FILE_GENERATOR,
  lockFileName,
  type ParseResult,
  parseClaudeLockFile,
  parseJetBrainsFile,
  portOfJetBrainsFile,
  portOfLockFile,
} from "@idewire/core";
import { claudeIdeDirectory, type Environment, homeDirectory } from "../directories.ts";

/** What a discovery file may tell of a server. */
export interface ServerFacts {
  readonly port: number;
  readonly token: string;
  /** Real native paths. */
  readonly folders: readonly string[];
  readonly ideName: string;
}

/** Where the agents of one family look, and what they read there. */
export interface DiscoveryFormat {
  directory(env: Environment): string;
  fileName(port: number): string;
  portOf(fileName: string): number | undefined;
  /** The text of a file of ours. */
  format(facts: ServerFacts): string;
  /** Of a file by anybody: who wrote it, and for which process. */
  parse(text: string): ParseResult<{ readonly generator?: string; readonly pid?: number }>;
}

export const discoveryFormats: Readonly<Record<DiscoveryKind, DiscoveryFormat>> = {
  claude: {
    directory: claudeIdeDirectory,
    fileName: lockFileName,
    portOf: portOfLockFile,
    parse: parseClaudeLockFile,
    format: ({ token, folders, ideName }) =>
      formatClaudeLockFile({
        pid: process.pid,
        workspaceFolders: folders,
        ideName,
        transport: "ws",
        runningInWindows: process.platform === "win32",
        authToken: token,
        generator: LOCK_FILE_GENERATOR,
      }),
  },
  jetbrains: {
    // Never in the project, as the seed may be read: a token there would be shared with it.
    directory: (env) => join(homeDirectory(env), JETBRAINS_FOLDER),
    fileName: jetBrainsFileName,
    portOf: portOfJetBrainsFile,
    parse: parseJetBrainsFile,
    format: ({ port, token, folders }) =>
      formatJetBrainsFile({
        port,
        authToken: token,
        projectPath: folders[0] ?? "",
        pid: process.pid,
        generator: LOCK_FILE_GENERATOR,
      }),
  },
};
