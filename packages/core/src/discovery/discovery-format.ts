import type { ParseResult } from "../parse-result.ts";

/** The `generator` of our files; other files must not be removed. */
export const GENERATOR = "idewire";

/** The location of a family's discovery files. */
export interface DiscoveryFolder {
  /** What `root` is relative to: the user's home, or the system's folder for temporary files. */
  readonly base: "home" | "temp";
  readonly root: string;
  /** The environment variable that names another root, for servers; agents may look in both. */
  readonly variable?: string;
  /** The folder below the root. */
  readonly below?: string;
}

/** The facts about a server that a discovery file may contain. */
export interface ServerFacts {
  /** Where it listens: a port, or a socket of the file system. */
  readonly port?: number;
  readonly socketPath?: string;
  readonly token: string;
  /** Real native paths. */
  readonly folders: readonly string[];
  readonly ideName: string;
  /** Whether the agents are on this machine and can see this process. */
  readonly isLocal: boolean;
  /** Whether the folders are Windows paths. */
  readonly inWindows: boolean;
  /** The server's process, and when it started, if the system reports it. */
  readonly process: { readonly pid: number; readonly started?: string };
  /** The time of writing, in milliseconds since 1970. */
  readonly writtenMs: number;
  /** Whether the person trusts the folders. */
  readonly isTrusted?: boolean;
  /** For a proxy: the port of the editor behind it. */
  readonly inspects?: number;
}

/**
 * The content of a discovery file, for any family, with the members of Claude Code's lock files
 * (docs/clients/claude-code.md, Discovery).
 */
export interface ServerFile {
  /** Real native paths, which agents compare with their working directory as text. */
  readonly workspaceFolders: readonly string[];
  /** The editor's process; Claude Code deletes the file when the process has ended. */
  readonly pid?: number;
  readonly ideName?: string;
  /** Where it listens, if the file's name does not contain the port. */
  readonly port?: number;
  /** The socket of the file system where it listens, in place of a port. */
  readonly socketPath?: string;
  /** The transport there: see {@link DiscoveryFormat.transport}. */
  readonly transport?: string;
  readonly runningInWindows?: boolean;
  readonly authToken?: string;
  /** The program that wrote the file; not read by agents. */
  readonly generator?: string;
  /** The process that wrote the file, in place of `pid` for agents that cannot see that process. */
  readonly generatorPid?: number;
  /** When that process started, since its id may be reused. */
  readonly started?: string;
  /** For an inspecting proxy: the port of the editor behind it. */
  readonly inspects?: number;
}

/** Where the agents of one family look for servers, and the format of the files there. */
export interface DiscoveryFormat {
  readonly folder: DiscoveryFolder;
  /** The only value of {@link ServerFile.transport} that the agents of the family use here. */
  readonly transport: "ws" | "http";
  /** @param unique a name that no other endpoint has, for formats whose file names carry no meaning */
  fileName(this: void, facts: Pick<ServerFacts, "port" | "process">, unique: string): string;
  /** The facts in the name of a discovery file; undefined for any other name. */
  match(this: void, fileName: string): { readonly port?: number } | undefined;
  /** The text of a file of ours. */
  format(this: void, facts: ServerFacts): string;
  /** Parses a file of any program: rejects wrong types, ignores unknown members. */
  read(this: void, text: string): ParseResult<ServerFile>;
}

/**
 * The members that identify our own files. A process id is only given to agents that can see the
 * process: others would consider it dead.
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
