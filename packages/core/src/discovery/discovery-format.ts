import type { ParseResult } from "../parse-result.ts";

/** The `generator` of our files; other files must not be removed. */
export const GENERATOR = "idewire";

/** Where the discovery files of a family are. */
export interface DiscoveryFolder {
  /** What `root` is relative to: the user's home, or the system's folder for temporary files. */
  readonly base: "home" | "temp";
  readonly root: string;
  /** The environment variable that names another root, for servers; agents may look in both. */
  readonly variable?: string;
  /** The folder below the root. */
  readonly below?: string;
}

/** What a discovery file may contain about a server. */
export interface ServerFacts {
  /** Where it listens: at a port, or at a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  readonly token: string;
  /** Real native paths. */
  readonly folders: readonly string[];
  readonly ideName: string;
  /** The agents are on this machine, and see this process. */
  readonly isLocal: boolean;
  /** The folders are written as on Windows. */
  readonly inWindows: boolean;
  /** The server's process, and when it started, as far as the system tells. */
  readonly process: { readonly pid: number; readonly started?: string };
  /** When the file is written, in milliseconds since 1970. */
  readonly writtenMs: number;
  /** Whether the person trusts the folders. */
  readonly isTrusted?: boolean;
  /** The port of the editor whose proxy it is. */
  readonly inspects?: number;
}

/**
 * What a discovery file says of a server, whichever the family: as in the lock files of Claude Code
 * (docs/clients/claude-code.md, Discovery).
 */
export interface ServerFile {
  /** Real native paths, which agents compare with their working directory as text. */
  readonly workspaceFolders: readonly string[];
  /** The editor's process; Claude Code deletes the file when the process has ended. */
  readonly pid?: number;
  readonly ideName?: string;
  /** Where it listens, if the name of the file does not say that. */
  readonly port?: number;
  /** The socket of the file system where it listens, in place of a port. */
  readonly socketPath?: string;
  /** What is spoken there: see {@link DiscoveryFormat.transport}. */
  readonly transport?: string;
  readonly runningInWindows?: boolean;
  readonly authToken?: string;
  /** The program that wrote the file; not read by agents. */
  readonly generator?: string;
  /** The process that wrote the file, in place of `pid` for agents that cannot see that process. */
  readonly generatorPid?: number;
  /** When that process started, since its number is another one's later. */
  readonly started?: string;
  /** For an inspecting proxy: the port of the editor behind it. */
  readonly inspects?: number;
}

/** Where the agents of one family look for servers, and what they read there. */
export interface DiscoveryFormat {
  readonly folder: DiscoveryFolder;
  /** The only value of {@link ServerFile.transport} that the agents of the family use here. */
  readonly transport: "ws" | "http";
  /** @param unique a name that no other endpoint has, for formats whose names say nothing */
  fileName(this: void, facts: Pick<ServerFacts, "port" | "process">, unique: string): string;
  /** Whether a name is that of a discovery file, and what it says; undefined for any other. */
  match(this: void, fileName: string): { readonly port?: number } | undefined;
  /** The text of a file of ours. */
  format(this: void, facts: ServerFacts): string;
  /** Parses a file of any program: rejects wrong types, ignores unknown members. */
  read(this: void, text: string): ParseResult<ServerFile>;
}

/**
 * The members by which we know our own files. A process id is only given to agents that can see the
 * process: others would take it for dead.
 */
export function authorOf({
  isLocal,
  process: { pid, started },
}: Pick<ServerFacts, "isLocal" | "process">): Pick<
  ServerFile,
  "generator" | "pid" | "generatorPid" | "started"
> {
  const named = isLocal ? { pid } : { generatorPid: pid };
  return { ...named, ...(started !== undefined && { started }), generator: GENERATOR };
}
