import { join } from "node:path";
import type { DiscoveryKind } from "@idewire/core/internal";
import {
  type ClaudeLockFile,
  formatClaudeLockFile,
  formatJetBrainsFile,
  JETBRAINS_FOLDER,
  type JetBrainsFile,
  jetBrainsFileName,
  LOCK_FILE_GENERATOR,
  lockFileName,
  type ParseResult,
  parseClaudeLockFile,
  parseJetBrainsFile,
  portOfJetBrainsFile,
  portOfLockFile,
} from "@idewire/core/internal";
import { claudeIdeDirectory, type Environment, homeDirectory } from "../files/directories.ts";
import { ownIdentity } from "../process/liveness.ts";

/** What a discovery file may contain about a server. */
export interface ServerFacts {
  readonly port: number;
  readonly token: string;
  /** Real native paths. */
  readonly folders: readonly string[];
  readonly ideName: string;
  /** The agents are on this machine, and see this process. */
  readonly isLocal: boolean;
  /** The folders are written as on Windows. */
  readonly inWindows: boolean;
  /** The port of the editor whose proxy it is. */
  readonly inspects?: number;
}

/** Where the agents of one family look, and what they read there. */
export interface DiscoveryFormat {
  directory(env: Environment): string;
  fileName(port: number): string;
  portOf(fileName: string): number | undefined;
  /** The text of a file of ours. */
  format(facts: ServerFacts): string;
  /** Of any program's file: its writer, and the process that it is for. */
  parse(text: string): ParseResult<Authorship>;
  /** The same as an agent reads it, whichever the family. */
  read(text: string): ParseResult<ClaudeLockFile>;
}

/** The program that wrote a file, if the file says so. */
export interface Authorship {
  readonly generator?: string;
  readonly pid?: number;
  readonly generatorPid?: number;
  /** When that process started. */
  readonly started?: string;
}

/** A process id is only given to agents that can see the process: others would take it for dead. */
function writtenHere(isLocal: boolean) {
  const { pid, ...start } = ownIdentity();
  const named = isLocal ? { pid } : { generatorPid: pid };
  return { ...named, ...start, generator: LOCK_FILE_GENERATOR };
}

export const discoveryFormats: Readonly<Record<DiscoveryKind, DiscoveryFormat>> = {
  claude: {
    directory: claudeIdeDirectory,
    fileName: lockFileName,
    portOf: portOfLockFile,
    parse: parseClaudeLockFile,
    read: parseClaudeLockFile,
    format: ({ token, folders, ideName, isLocal, inWindows, inspects }) =>
      formatClaudeLockFile({
        workspaceFolders: folders,
        ideName,
        transport: "ws",
        runningInWindows: inWindows,
        authToken: token,
        ...writtenHere(isLocal),
        ...(inspects !== undefined && { inspects }),
      }),
  },
  jetbrains: {
    // Never in the project, as the seed may be read: a token there would be shared with it.
    directory: (env) => join(homeDirectory(env), JETBRAINS_FOLDER),
    fileName: jetBrainsFileName,
    portOf: portOfJetBrainsFile,
    parse: parseJetBrainsFile,
    read(text) {
      const file = parseJetBrainsFile(text);
      return file.ok ? { ok: true, value: asLockFile(file.value) } : file;
    },
    format: ({ port, token, folders, isLocal }) =>
      formatJetBrainsFile({
        port,
        authToken: token,
        projectPath: folders[0] ?? "",
        ...writtenHere(isLocal),
      }),
  },
};

function asLockFile({ port: _, projectPath, ...file }: JetBrainsFile): ClaudeLockFile {
  return { ...file, workspaceFolders: [projectPath], ideName: "JetBrains", transport: "ws" };
}
