import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import {
  authorOf,
  type DiscoveryFormat,
  type ServerFacts,
  type ServerFile,
} from "./discovery-format.ts";
import { matchPort, parseObject, readAuthor } from "./parse-file.ts";

/**
 * `<tmp>/gemini/ide/gemini-ide-server-<pid>-<port>.json`, as Gemini CLI reads it
 * (docs/clients/gemini-cli.md, Discovery). Earlier names have no port.
 */
export const geminiDiscovery: DiscoveryFormat = {
  folder: { base: "temp", root: "gemini", below: "ide" },
  transport: "http",
  fileName: ({ port, process: { pid } }) => `gemini-ide-server-${pid}-${port}.json`,
  match(name) {
    const [, rest = ""] = /^gemini-ide-server-\d+(?:-(\d+\.json)|\.json)$/.exec(name) ?? [];
    if (rest !== "") return matchPort(rest, ".json");
    return /^gemini-ide-server-\d+\.json$/.test(name) ? {} : undefined;
  },
  format: (facts) => {
    const separator = facts.inWindows ? ";" : ":";
    const workspacePath = facts.folders.join(separator);
    return JSON.stringify({ ...commonMembers(facts), workspacePath, ...authorOf(facts) });
  },
  read,
};

/**
 * `~/.qwen/ide/<port>.lock`, as Qwen Code reads it (docs/clients/qwen-code.md, Discovery). It deletes a file whose
 * process has ended, and a file without a process if it takes the folders for a single missing one.
 */
export const qwenDiscovery: DiscoveryFormat = {
  folder: { base: "home", root: ".qwen", below: "ide" },
  transport: "http",
  fileName: ({ port }) => `${port}.lock`,
  match: (name) => matchPort(name, ".lock"),
  format(facts) {
    const { folders, ideName, isLocal, process } = facts;
    const workspacePath = folders.length === 1 ? folders[0] : JSON.stringify(folders);
    const ppid = isLocal ? { ppid: process.pid } : {};
    return JSON.stringify({
      ...{ ...commonMembers(facts), workspacePath, ...ppid, ideName },
      ...authorOf(facts),
    });
  },
  read,
};

/** Without `ideInfo` the agents connect only from terminals that they recognise. */
function commonMembers({ port, token, ideName }: ServerFacts) {
  const name = ideName.toLowerCase().replace(/[^a-z\d]+/g, "-");
  return { port, authToken: token, ideInfo: { name, displayName: ideName } };
}

function read(text: string): ParseResult<ServerFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { port, workspacePath, authToken, ideInfo, ideName, ppid } = object.value;
  if (!Number.isInteger(port) || (port as number) < 1 || (port as number) > 65_535) {
    return refused(`port: expected 1 to 65535, got ${describeValue(port)}`);
  }
  if (typeof workspacePath !== "string") {
    return refused(`workspacePath: expected a path, got ${describeValue(workspacePath)}`);
  }
  // Tokens are never shown, not even invalid ones.
  if (typeof authToken !== "string" && authToken !== undefined) {
    return refused(`authToken: expected a token, got a ${typeof authToken}`);
  }
  const { displayName } = (ideInfo ?? {}) as Readonly<Record<string, unknown>>;
  const name = [displayName, ideName].find((one) => typeof one === "string");
  return parsed({
    workspaceFolders: splitFolders(workspacePath),
    transport: "http",
    port: port as number,
    ...(typeof name === "string" && { ideName: name }),
    ...(authToken !== undefined && { authToken }),
    ...(typeof ppid === "number" && { pid: ppid }),
    ...readAuthor(object.value),
  });
}

/** Several folders are a list as JSON, or joined as in PATH. */
function splitFolders(text: string): readonly string[] {
  if (text.startsWith("[")) {
    const list = parseList(text);
    if (list !== undefined) return list;
  }
  const separator = /^[a-z]:[\\/]/i.test(text) ? ";" : ":";
  return text.split(separator).filter((folder) => folder !== "");
}

function parseList(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((one) => typeof one === "string")
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}
