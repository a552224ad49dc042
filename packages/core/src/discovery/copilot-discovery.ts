import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { isObject } from "../rpc/message.ts";
import { describeValue } from "../text/describe-value.ts";
import {
  authorOf,
  type DiscoveryFormat,
  type ServerFacts,
  type ServerFile,
} from "./discovery-format.ts";
import { parseObject, readAuthor } from "./parse-file.ts";

/**
 * `<config>/ide/<any>.lock`, as Copilot CLI reads it (docs/clients/copilot-cli.md, Discovery). It names a socket,
 * and the headers that each request must have.
 */
export const copilotDiscovery: DiscoveryFormat = {
  folder: { base: "home", root: ".copilot", variable: "COPILOT_HOME", below: "ide" },
  transport: "http",
  fileName: (_, unique) => `${unique}.lock`,
  match: (name) => (name.endsWith(".lock") ? {} : undefined),
  format,
  read,
};

function format(facts: ServerFacts): string {
  const { socketPath = "", token, ideName, writtenMs, folders, isTrusted } = facts;
  return JSON.stringify({
    socketPath,
    scheme: socketPath.startsWith("\\\\.\\pipe\\") ? "pipe" : "unix",
    headers: { Authorization: `Nonce ${token}` },
    pid: facts.process.pid,
    ideName,
    timestamp: writtenMs,
    workspaceFolders: folders,
    ...(isTrusted !== undefined && { isTrusted }),
    ...authorOf(facts),
  });
}

/** The members that the agent requires; it ignores a file that lacks one of them. */
const members: readonly (readonly [string, (value: unknown) => boolean, string])[] = [
  ["socketPath", isText, "a path"],
  ["scheme", (value) => value === "unix" || value === "pipe", '"unix" or "pipe"'],
  ["headers", isObject, "an object"],
  ["pid", (value) => typeof value === "number", "a number"],
  ["ideName", isText, "a text"],
  ["timestamp", (value) => typeof value === "number", "a number"],
  ["workspaceFolders", (value) => Array.isArray(value) && value.every(isText), "a list of paths"],
];

function read(text: string): ParseResult<ServerFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { value } = object;
  for (const [name, isRight, expected] of members) {
    const seen = value[name];
    if (isRight(seen)) continue;
    // The headers contain the token, which is never shown.
    const words = name === "headers" ? `a ${typeof seen}` : describeValue(seen);
    return refused(`${name}: expected ${expected}, got ${words}`);
  }
  const { socketPath, ideName, workspaceFolders, headers } = value as unknown as CopilotFile;
  const [, authToken] = /^Nonce (\S+)$/.exec(headers["Authorization"] ?? "") ?? [];
  return parsed({
    ...{ workspaceFolders, ideName, socketPath, transport: "http" },
    ...(authToken !== undefined && { authToken }),
    ...readAuthor(value),
  });
}

interface CopilotFile {
  readonly socketPath: string;
  readonly ideName: string;
  readonly workspaceFolders: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}
