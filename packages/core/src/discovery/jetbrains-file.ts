import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../rpc/message.ts";
import { parseObject, portOfFileName } from "./discovery-file.ts";

/** What `.claude-code/<port>.json`, in the person's home, says of a JetBrains plugin (seed 000). */
export interface JetBrainsFile {
  readonly port: number;
  readonly authToken: string;
  /** Real native path. */
  readonly projectPath: string;
  /** The process that serves, and who wrote the file, where it says so: not in the seed. */
  readonly pid?: number;
  readonly generator?: string;
  /** The process that wrote it for agents that cannot see that process, in place of `pid`. */
  readonly generatorPid?: number;
}

/** The folder of these files, under the person's home: never in the project, which is shared. */
export const JETBRAINS_FOLDER = ".claude-code";

/** The name of the file of a port. */
export function jetBrainsFileName(port: number): string {
  return `${port}.json`;
}

/** The port that a file's name stands for; undefined when it is no such file's name. */
export function portOfJetBrainsFile(name: string): number | undefined {
  return portOfFileName(name, ".json");
}

export function formatJetBrainsFile(file: JetBrainsFile): string {
  return JSON.stringify(file);
}

/** Reads a file of any author: members of a wrong type are refused, unknown ones ignored. */
export function parseJetBrainsFile(text: string): ParseResult<JetBrainsFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { port, authToken, projectPath, pid, generator, generatorPid } = object.value;
  if (!Number.isInteger(port) || (port as number) < 1 || (port as number) > 65_535) {
    return refused(`port: expected 1 to 65535, got ${describeValue(port)}`);
  }
  if (typeof authToken !== "string" || authToken === "") {
    // A token is never shown, not even a broken one.
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
  });
}
