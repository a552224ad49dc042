import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../rpc/message.ts";
import { parseObject, portOfFileName } from "./discovery-file.ts";

/**
 * The content of `<config>/ide/<port>.lock`, as Claude Code and opencode read it
 * (docs/clients/claude-code.md, Discovery). The port is the file's name.
 */
export interface ClaudeLockFile {
  /** Real native paths, which agents compare with their working directory as text. */
  readonly workspaceFolders: readonly string[];
  /** The editor's process; Claude Code deletes the file when the process has ended. */
  readonly pid?: number;
  readonly ideName?: string;
  /** `ws`; any other value means an HTTP transport, which we do not serve. */
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

/** The `generator` of our files; other files must not be removed. */
export const LOCK_FILE_GENERATOR = "idewire";

/** The file name of a port's lock file. */
export function lockFileName(port: number): string {
  return `${port}.lock`;
}

/** The port in the name of a lock file; undefined for any other name. */
export function portOfLockFile(name: string): number | undefined {
  return portOfFileName(name, ".lock");
}

export function formatClaudeLockFile(file: ClaudeLockFile): string {
  return JSON.stringify(file);
}

/** Parses a lock file of any program: rejects wrong types, ignores unknown members. */
export function parseClaudeLockFile(text: string): ParseResult<ClaudeLockFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { value } = object;
  const folders = value["workspaceFolders"];
  if (!Array.isArray(folders) || !folders.every((folder) => typeof folder === "string")) {
    return refused(`workspaceFolders: expected a list of paths, got ${describeValue(folders)}`);
  }
  for (const [key, type] of Object.entries(optionalMembers)) {
    const member = value[key];
    if (member === undefined || typeof member === type) continue;
    // Tokens are never shown, not even invalid ones.
    const seen = key === "authToken" ? `a ${typeof member}` : describeValue(member);
    return refused(`${key}: expected a ${type}, got ${seen}`);
  }
  return parsed(value as unknown as ClaudeLockFile);
}

const optionalMembers: Readonly<Record<string, "string" | "number" | "boolean">> = {
  pid: "number",
  ideName: "string",
  transport: "string",
  runningInWindows: "boolean",
  authToken: "string",
  generator: "string",
  generatorPid: "number",
  started: "string",
  inspects: "number",
};
