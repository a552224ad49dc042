import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import { authorOf, type DiscoveryFormat, type ServerFile } from "./discovery-format.ts";
import { matchPort, parseObject, readAuthor } from "./parse-file.ts";

/**
 * `~/.claude-code/<port>.json` of a JetBrains plugin (seed 000). Never in the project, as the seed may be
 * read: a token there would be shared with it.
 */
export const jetBrainsDiscovery: DiscoveryFormat = {
  folder: { base: "home", root: ".claude-code" },
  transport: "ws",
  fileName: ({ port }) => `${port}.json`,
  match: (name) => matchPort(name, ".json"),
  format: ({ port, token, folders, ...facts }) =>
    JSON.stringify({ port, authToken: token, projectPath: folders[0] ?? "", ...authorOf(facts) }),
  read,
};

function read(text: string): ParseResult<ServerFile> {
  const object = parseObject(text);
  if (!object.ok) return object;
  const { port, authToken, projectPath } = object.value;
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
    workspaceFolders: [projectPath],
    ideName: "JetBrains",
    transport: "ws",
    authToken,
    ...readAuthor(object.value),
  });
}
