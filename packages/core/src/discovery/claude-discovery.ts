import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import {
  authorOf,
  type DiscoveryFormat,
  type ServerFacts,
  type ServerFile,
} from "./discovery-format.ts";
import { matchPort, parseObject } from "./parse-file.ts";

/**
 * `<config>/ide/<port>.lock`, as Claude Code and opencode read it (docs/clients/claude-code.md,
 * Discovery). The port is the file's name.
 */
export const claudeDiscovery: DiscoveryFormat = {
  // opencode looks in the home alone, whatever the variable says (docs/clients/opencode.md, Discovery).
  folder: { base: "home", root: ".claude", variable: "CLAUDE_CONFIG_DIR", below: "ide" },
  // Any other value means an HTTP transport, which we do not serve.
  transport: "ws",
  fileName: ({ port }) => `${port}.lock`,
  match: (name) => matchPort(name, ".lock"),
  format: (facts) => JSON.stringify(toFile(facts)),
  read: parseLockFile,
};

function toFile(facts: ServerFacts): ServerFile {
  const { token, folders, ideName, inWindows, inspects } = facts;
  return {
    workspaceFolders: folders,
    ideName,
    transport: "ws",
    runningInWindows: inWindows,
    authToken: token,
    ...authorOf(facts),
    ...(inspects !== undefined && { inspects }),
  };
}

function parseLockFile(text: string): ParseResult<ServerFile> {
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
  return parsed(value as unknown as ServerFile);
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
