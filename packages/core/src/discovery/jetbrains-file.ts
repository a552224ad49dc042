import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../rpc/message.ts";
import { parseObject, portOfFileName } from "./discovery-file.ts";

/** The content of `~/.claude-code/<port>.json` of a JetBrains plugin (seed 000). */
export interface JetBrainsFile {
  readonly port: number;
  readonly authToken: string;
  /** The real native path. */
  readonly projectPath: string;
  /** The editor's process, and the program that wrote the file; not in the seed. */
  readonly pid?: number;
  readonly generator?: string;
  /** The process that wrote the file, in place of `pid` for agents that cannot see that process. */
  readonly generatorPid?: number;
  /** When that process started, since its number is another one's later. */
  readonly started?: string;
}

/** The folder of these files in the home directory, not in the project, which may be shared. */
export const JETBRAINS_FOLDER = ".claude-code";

/** The file name of a port's file. */
export function jetBrainsFileName(port: number): string {
  return `${port}.json`;
}

/** The port in the name of such a file; undefined for any other name. */
export function portOfJetBrainsFile(name: string): number | undefined {
  return portOfFileName(name, ".json");
}

export function formatJetBrainsFile(file: JetBrainsFile): string {
  return JSON.stringify(file);
}

/** Parses a file of any program: rejects wrong types, ignores unknown members. */
export function parseJetBrainsFile(text: string): ParseResult<JetBrainsFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { port, authToken, projectPath, pid, generator, generatorPid, started } = object.value;
  if (!Number.isInteger(port) || (port as number) < 1 || (port as number) > 65_535) {
    return refused(`port: expected 1 to 65535, got ${describeValue(port)}`);
  }
  if (typeof authToken !== "string" || authToken === "") {
    // Tokens are never shown, not even invalid ones.
    return refused(`authToken: expected a token, got a ${typeof authToken}`);
  }
  if (typeof projectPath !== "string" || projectPath === "") {
    return refused(`projectPath: expected a path, got ${describeValue(projectPath)}`);
  }
  return parsed({
    port: port as number,
    authToken,
    projectPath,
    ...(typeof pid === "number" && { pid }),
    ...(typeof generator === "string" && { generator }),
    ...(typeof generatorPid === "number" && { generatorPid }),
    ...(typeof started === "string" && { started }),
  });
}
