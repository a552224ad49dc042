import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../rpc/message.ts";
import { parseObject, portOfFileName } from "./discovery-file.ts";

/**
 * What `<config>/ide/<port>.lock` says, as Claude Code and opencode read it
 * (docs/clients/claude-code.md, Discovery). The port is the file's name.
 */
export interface ClaudeLockFile {
  /** Real native paths; agents compare them with their own working directory as text. */
  readonly workspaceFolders: readonly string[];
  /** A live process: Claude Code deletes the file of a dead one. */
  readonly pid?: number;
  readonly ideName?: string;
  /** `ws`; anything else means an HTTP transport that we do not serve. */
  readonly transport?: string;
  readonly runningInWindows?: boolean;
  readonly authToken?: string;
  /** Who wrote it, where it says so; agents do not read this. */
  readonly generator?: string;
  /** The process that wrote it for agents that cannot see that process, in place of `pid`. */
  readonly generatorPid?: number;
  /** The port of the editor that the one behind this file stands in front of, to look on. */
  readonly inspects?: number;
}

/** What `generator` says in the files that are ours, and that we may remove. */
export const LOCK_FILE_GENERATOR = "idewire";

/** The name of the lock file of a port. */
export function lockFileName(port: number): string {
  return `${port}.lock`;
}

/** The port that a lock file's name stands for; undefined when it is no lock file's name. */
export function portOfLockFile(name: string): number | undefined {
  return portOfFileName(name, ".lock");
}

export function formatClaudeLockFile(file: ClaudeLockFile): string {
  return JSON.stringify(file);
}

/** Reads a lock file of any author: members of a wrong type are refused, unknown ones ignored. */
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
    // A token is never shown, not even a broken one.
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
  inspects: "number",
};
